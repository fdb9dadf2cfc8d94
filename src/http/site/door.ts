// The community's own pages: reading, writing, the member's settings, the developers' documentation.

import { Hono } from 'hono';
import type { Community } from '../../community/community.ts';
import type { Views } from '../../community/view.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { ClientAddress } from '../client-address.ts';
import type { PageEnv, Site } from '../visitor.ts';
import { atomFeeds } from './atom.ts';
import { autosaving } from './autosave.ts';
import { avatars } from './avatar.ts';
import { comments } from './comments.ts';
import { documentationPages } from './documentation.ts';
import { draftPages } from './drafts.ts';
import { emailConfirmation } from './email-confirmation.ts';
import { exportPages } from './export.ts';
import { feedPages } from './feeds.ts';
import { homePage } from './home.ts';
import { languageChoice } from './language-choice.ts';
import { likes } from './likes.ts';
import { memberPages } from './member.ts';
import { notifications } from './notifications.ts';
import { operatorPages } from './operator.ts';
import { passwordReset } from './password-reset.ts';
import { postAddresses, postPages } from './post.ts';
import { postEditing } from './post-editing.ts';
import { postRemoval } from './post-removal.ts';
import { removedPosts } from './removed-posts.ts';
import { reportPages } from './report.ts';
import { searchPages } from './search.ts';
import { accountSettings } from './settings-account.ts';
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
  views: Views;
  oauth: AuthorizationServer;
  clock: Clock;
  clientAddress: ClientAddress;
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
      avatars(site),
      postPages(site),
      draftPages(site),
      postEditing(site),
      postRemoval(site),
    ],
    ...[feedPages(site), searchPages(site), atomFeeds(site), autosaving(site), removedPosts(site)],
    ...[profileSettings(site), tokenSettings(site), appSettings(site), securitySettings(site)],
    ...[comments(site), likes(site), notifications(site)],
    ...[emailConfirmation(site), passwordReset(site)],
    ...[accountSettings(site), exportPages(site), reportPages(site), operatorPages(site)],
    documentationPages(site),
    postAddresses(site),
  ]) {
    door.route('/', pages);
  }
  return door;
}
