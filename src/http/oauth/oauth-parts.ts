// What the endpoints of the protocol are built from.

import type { AuditLog } from '../../audit/audit-log.ts';
import type { Community } from '../../community/community.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Counter } from '../../lib/counter.ts';
import type { Log } from '../../lib/log.ts';
import type { FindKey } from '../../lib/partner-keys.ts';
import type { AccessDiary } from '../../oauth/access-diary.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { ClientDocuments } from '../../oauth/client-documents.ts';
import type { ClientNumbers } from '../../oauth/client-numbers.ts';
import type { RequestInspector } from '../../oauth/request-inspector.ts';
import type { Site } from '../../site/site.ts';
import type { ClientAddress } from '../client-address.ts';

/** The modules, settings and tools that the endpoints use. */
export interface OAuthParts {
  oauth: AuthorizationServer;
  identity: Identity;
  community: Community;
  audit: AuditLog;
  counter: Counter;
  diary: AccessDiary;
  numbers: ClientNumbers;
  inspector: RequestInspector;
  /** Reads the documents of applications that describe themselves. */
  documents: ClientDocuments;
  log: Log;
  site: Site;
  tokenRateLimitPerMinute: number;
  clientAddress: ClientAddress;
  /** Finds the keys of GitHub's secret scanning. Undefined if its messages aren't accepted. */
  findPartnerKey?: FindKey | undefined;
}
