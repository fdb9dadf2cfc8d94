// The port of src/oauth in SQL, combined from its tables. It reports whether an act happened. The rules in
// src/oauth decide whether it is allowed.

import type { OAuthStore } from '../../oauth/store.ts';
import { securityEventWrites } from '../audit/security-events.ts';
import type { Database } from '../engine/database.ts';
import { abandonedGrantRows } from './abandoned-grants.ts';
import { accessDiaryRows } from './access-diary.ts';
import { accessTokenRows } from './access-tokens.ts';
import { addedClients } from './added-clients.ts';
import { authorizationCodeRows } from './authorization-codes.ts';
import { personalTokenChanges } from './changed-personal-tokens.ts';
import { clientLooks } from './client-looks.ts';
import { clientNumbers } from './client-numbers.ts';
import { clientOwnership } from './client-ownership.ts';
import { clientReportRows } from './client-reports.ts';
import { clientReviews } from './client-reviews.ts';
import { clientRows } from './clients.ts';
import { eventRows } from './events.ts';
import { exposedCredentials } from './exposed-credentials.ts';
import { grantRows } from './grants.ts';
import { personalTokenRows } from './personal-tokens.ts';
import { requestLines } from './request-lines.ts';
import { signingKeyRows } from './signing-keys.ts';
import { temporaryClientRows } from './temporary-clients.ts';
import { tokenFamilyRows } from './token-families.ts';
import { tokenNotices } from './token-notices.ts';

export function oauthStore(database: Database): OAuthStore {
  return {
    ...clientRows(database),
    ...clientOwnership(database),
    ...addedClients(database),
    ...clientNumbers(database),
    ...clientLooks(database),
    ...clientReportRows(database),
    ...clientReviews(database),
    ...temporaryClientRows(database),
    ...grantRows(database),
    ...abandonedGrantRows(database),
    ...authorizationCodeRows(database),
    ...tokenFamilyRows(database),
    ...accessTokenRows(database),
    ...personalTokenRows(database),
    ...accessDiaryRows(database),
    ...requestLines(database),
    ...personalTokenChanges(database),
    ...tokenNotices(database),
    ...exposedCredentials(database),
    ...eventRows(database),
    ...signingKeyRows(database),
    ...securityEventWrites(database),
  };
}
