// Signing out.

import { Hono } from 'hono';
import { endSession } from '../../../identity/session.ts';
import { readPostedForm } from '../../pages/form-page.ts';
import { clearSessionCookie, type PageEnv, sessionCookie } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';

export function signOut(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.post('/logout', async (c) => {
    const form = await readPostedForm(c);
    if (form instanceof Response) return form;
    const cookie = sessionCookie(c);
    if (cookie !== undefined) await endSession(site.identity, cookie);
    clearSessionCookie(c);
    return c.redirect('/', 303);
  });
  return door;
}
