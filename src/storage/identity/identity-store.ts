// The port of src/identity in SQL, combined from its tables.

import type { IdentityStore } from '../../identity/store.ts';
import { securityEventWrites } from '../audit/security-events.ts';
import type { Database } from '../engine/database.ts';
import { accountRows } from './accounts.ts';
import { attemptRows } from './attempts.ts';
import { avatarRows } from './avatars.ts';
import { browserRows } from './browsers.ts';
import { disownedRows } from './disowned.ts';
import { emailRows } from './emails.ts';
import { factorResetRows } from './factor-resets.ts';
import { factorRows } from './factors.ts';
import { invitationRows } from './invitations.ts';
import { linkRows } from './links.ts';
import { mailTokenRows } from './mail-tokens.ts';
import { mailRows } from './mails.ts';
import { memberLists } from './member-lists.ts';
import { passkeyRows } from './passkeys.ts';
import { passwordRows } from './passwords.ts';
import { resetLinkRows } from './reset-links.ts';
import { sessionRows } from './sessions.ts';
import { signUpRows } from './sign-ups.ts';
import { temporaryUserRows } from './temporary-users.ts';
import { usernameRows } from './usernames.ts';
import { userRows } from './users.ts';

export function identityStore(database: Database): IdentityStore {
  return {
    ...userRows(database),
    ...usernameRows(database),
    ...sessionRows(database),
    ...browserRows(database),
    ...disownedRows(database),
    ...attemptRows(database),
    ...accountRows(database),
    ...avatarRows(database),
    ...linkRows(database),
    ...memberLists(database),
    ...signUpRows(database),
    ...invitationRows(database),
    ...emailRows(database),
    ...factorRows(database),
    ...factorResetRows(database),
    ...passkeyRows(database),
    ...passwordRows(database),
    ...mailRows(database),
    ...mailTokenRows(database),
    ...resetLinkRows(database),
    ...temporaryUserRows(database),
    ...securityEventWrites(database),
  };
}
