// Becoming a member, and what mail leads to. Signing in is served beside the site, for applications too.

import type { Hono } from 'hono';
import type { PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { together } from '../together.ts';
import { emailConfirmation } from './email-confirmation.ts';
import { passwordReset } from './password-reset.ts';
import { setupPages } from './setup.ts';
import { signOut } from './sign-out.ts';
import { signupPages } from './signup.ts';

export function joiningDoor(site: SiteDoor): Hono<PageEnv> {
  return together(site, [emailConfirmation, passwordReset, setupPages, signOut, signupPages]);
}
