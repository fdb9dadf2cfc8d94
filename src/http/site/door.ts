// The community's own pages: reading, writing, the member's settings, the developers' documentation.

import { Hono } from 'hono';
import type { Community } from '../../community/community.ts';
import type { Views } from '../../community/view.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { ClientAddress } from '../client-address.ts';
import type { PageEnv, Site } from '../visitor.ts';
import { documentationPages } from './documentation.ts';
import { emailConfirmation } from './joining/email-confirmation.ts';
import { passwordReset } from './joining/password-reset.ts';
import { setupPages } from './joining/setup.ts';
import { signOut } from './joining/sign-out.ts';
import { signupPages } from './joining/signup.ts';
import { languageChoice } from './language-choice.ts';
import { atomFeeds } from './lists/atom.ts';
import { feedPages } from './lists/browsing.ts';
import { homePage } from './lists/home.ts';
import { searchPages } from './lists/search.ts';
import { avatars } from './members/avatar.ts';
import { memberPages } from './members/member.ts';
import { notifications } from './members/notifications.ts';
import { operatorPages } from './operator/door.ts';
import { autosaving } from './posts/autosave.ts';
import { draftPages } from './posts/drafts.ts';
import { postEditing } from './posts/editing.ts';
import { postAddresses, postPages } from './posts/post.ts';
import { postRemoval } from './posts/removal.ts';
import { removedPosts } from './posts/removed.ts';
import { comments } from './reactions/comments.ts';
import { likes } from './reactions/likes.ts';
import { reportPages } from './reactions/report.ts';
import { accountSettings } from './settings/account.ts';
import { appSettings } from './settings/apps.ts';
import { exportPages } from './settings/export.ts';
import { profileSettings } from './settings/profile.ts';
import { securitySettings } from './settings/security.ts';
import { tokenSettings } from './settings/tokens.ts';

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
