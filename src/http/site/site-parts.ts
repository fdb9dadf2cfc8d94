// The modules and settings that the site's pages use.

import type { AuditLog } from '../../audit/audit-log.ts';
import type { Community } from '../../community/community.ts';
import type { Views } from '../../community/view.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Clock, Timestamp } from '../../lib/clock.ts';
import type { Counter } from '../../lib/counter.ts';
import type { Mailer } from '../../lib/mail.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { ClientNumbers } from '../../oauth/client-numbers.ts';
import type { Site } from '../../site/site.ts';
import type { ClientAddress } from '../client-address.ts';
import type { AskServer } from '../own-request.ts';
import type { Bilingual } from '../pages/language.ts';
import type { Chapter, Chapters } from './chapters.ts';

export interface SiteParts {
  site: Site;
  identity: Identity;
  community: Community;
  audit: AuditLog;
  views: Views;
  oauth: AuthorizationServer;
  numbers: ClientNumbers;
  clock: Clock;
  /** When this process started. */
  startedAt: Timestamp;
  counter: Counter;
  clientAddress: ClientAddress;
  /** Sends a request to this server, as an application would. */
  ask: AskServer;
  /** The chapters of the documentation, by path. */
  chapters: Chapters;
  /** The help for members. */
  help: Bilingual<Chapter>;
  /** Returns the OpenAPI document. */
  describeApi(): Promise<object>;
  /** Returns the token that the set-up link must carry. */
  setupToken(): Promise<string>;
  /** Sends a mail at once. Throws `Undelivered`. */
  sendMail: Mailer;
  /** Whether mails leave the machine; otherwise they are written to the outbox. */
  hasMailServer: boolean;
  /** The sandbox for developers. Undefined if there is none. */
  sandboxUrl?: string | undefined;
  /** Returns the secret that seals the cookies of known browsers. */
  knownBrowserSecret(): Promise<string>;
  /** Returns the secret that seals the notes between the two steps of a sign-in. */
  signInSecret(): Promise<string>;
}
