// The community's own pages: reading, writing, the member's settings, the developers' documentation.

import { Hono } from 'hono';
import type { Community } from '../../community/community.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { PageEnv, Site } from '../visitor.ts';
import { avatars } from './avatar.ts';
import { documentationPages } from './documentation.ts';
import { draftPages } from './drafts.ts';
import { homePage } from './home.ts';
import { languageChoice } from './language-choice.ts';
import { memberPages } from './member.ts';
import { postPages } from './post.ts';
import { postEditing } from './post-editing.ts';
import { postRemoval } from './post-removal.ts';
import { appSettings } from './settings-apps.ts';
import { profileSettings } from './settings-profile.ts';
import { securitySettings } from './settings-security.ts';
import { tokenSettings } from './settings-tokens.ts';
import { setupPages } from './setup.ts';
import { signOut } from './sign-out.ts';
import { signupPages } from './signup.ts';

export { failurePage, notFoundPage } from './failures.ts';

/** The rooms whose rules the pages show. */
export interface SiteDoor {
  site: Site;
  identity: Identity;
  community: Community;
  oauth: AuthorizationServer;
  clock: Clock;
  /** The one-time key of the set-up page. */
  setupToken(): Promise<string>;
}

/** All pages of the site. `knowVisitor` must have run before them. */
export function siteDoor(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  for (const pages of [
    ...[homePage(site), setupPages(site), signupPages(site), signOut(site), languageChoice()],
    ...[
      memberPages(site),
      avatars(),
      postPages(site),
      draftPages(site),
      postEditing(site),
      postRemoval(site),
    ],
    ...[profileSettings(site), tokenSettings(site), appSettings(site), securitySettings()],
    documentationPages(site),
  ]) {
    door.route('/', pages);
  }
  return door;
}
