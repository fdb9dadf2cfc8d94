// Members as others see them, and what happened to what they wrote.

import type { Hono } from 'hono';
import type { PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { together } from '../together.ts';
import { avatars } from './avatar.ts';
import { memberPages } from './member.ts';
import { notifications } from './notifications.ts';

export function memberDoor(site: SiteDoor): Hono<PageEnv> {
  return together(site, [avatars, memberPages, notifications]);
}
