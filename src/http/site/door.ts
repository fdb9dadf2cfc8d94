// The community's own pages: reading, writing, the member's settings, the developers' documentation.

import type { Hono } from 'hono';
import type { Community } from '../../community/community.ts';
import type { Views } from '../../community/view.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { ClientAddress } from '../client-address.ts';
import type { PageEnv, Site } from '../pages/visitor.ts';
import { documentationPages } from './documentation.ts';
import { joiningDoor } from './joining/door.ts';
import { languageChoice } from './language-choice.ts';
import { listDoor } from './lists/door.ts';
import { memberDoor } from './members/door.ts';
import { operatorDoor } from './operator/door.ts';
import { postDoor } from './posts/door.ts';
import { postAddresses } from './posts/post.ts';
import { reactionDoor } from './reactions/door.ts';
import { settingsDoor } from './settings/door.ts';
import { together } from './together.ts';

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
  return together(site, [
    listDoor,
    postDoor,
    reactionDoor,
    memberDoor,
    joiningDoor,
    settingsDoor,
    operatorDoor,
    documentationPages,
    languageChoice,
    postAddresses,
  ]);
}
