// A member's settings.

import type { Hono } from 'hono';
import type { PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { together } from '../together.ts';
import { accountSettings } from './account.ts';
import { appSettings } from './apps.ts';
import { exportPages } from './export.ts';
import { profileSettings } from './profile.ts';
import { securitySettings } from './security.ts';
import { tokenSettings } from './tokens.ts';

export function settingsDoor(site: SiteDoor): Hono<PageEnv> {
  return together(site, [
    accountSettings,
    appSettings,
    exportPages,
    profileSettings,
    securitySettings,
    tokenSettings,
  ]);
}
