// What every database promises, whichever it is: the stores' verbs by their outcomes, and that each is one step.

import { describe } from 'node:test';
import { auditLog } from './contract/audit-log.ts';
import { care } from './contract/care.ts';
import { clientsAndGrants } from './contract/clients-and-grants.ts';
import { codes } from './contract/codes.ts';
import { comments } from './contract/comments.ts';
import { families } from './contract/families.ts';
import { feedsAndSearch } from './contract/feeds-and-search.ts';
import { importsContract } from './contract/imports.ts';
import { invitations } from './contract/invitations.ts';
import { likesAndViews } from './contract/likes-and-views.ts';
import { mails } from './contract/mails.ts';
import { moderation } from './contract/moderation.ts';
import { oauthAudit } from './contract/oauth-audit.ts';
import { people } from './contract/people.ts';
import { personalTokens } from './contract/personal-tokens.ts';
import { posts } from './contract/posts.ts';
import { securityEvents } from './contract/security-events.ts';
import { sessionsAndAttempts } from './contract/sessions-and-attempts.ts';
import { signingKeys } from './contract/signing-keys.ts';
import { tokenEvents } from './contract/token-events.ts';
import { transactions } from './contract/transactions.ts';
import type { Open } from './house.ts';

/** Registers the tests of all promises for one way of opening a database. `skip` says why they can't be run. */
export function storageContract(name: string, open: Open, skip: string | false = false): void {
  const parts = {
    people,
    care,
    auditLog,
    sessionsAndAttempts,
    securityEvents,
    tokenEvents,
    posts,
    importsContract,
    feedsAndSearch,
    comments,
    likesAndViews,
    mails,
    moderation,
    invitations,
    clientsAndGrants,
    codes,
    families,
    personalTokens,
    signingKeys,
    oauthAudit,
    transactions,
  };
  for (const part of Object.values(parts))
    describe(`on ${name}, ${part.title}`, { skip }, () => part.promises(open));
}
