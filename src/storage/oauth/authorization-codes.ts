// Authorization codes, as rows. A redeemed one stays, so that its replay is recognised.

import type { Timestamp } from '../../lib/clock.ts';
import type { NewAuthorizationCode, OAuthStore } from '../../oauth/store.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';
import { accessTokenRow, insertAccessToken } from './access-tokens.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import { familyRow, insertFamily } from './token-families.ts';

export function authorizationCodeRows(
  database: Database,
): Pick<OAuthStore, 'findAuthorizationCode' | 'redeem'> {
  return {
    async findAuthorizationCode(key) {
      const row = await database.first(selectCode({ key }));
      return (
        row && {
          key: row.key,
          digest: digestOfColumn(row.digest),
          clientId: row.client_id,
          userId: row.user_id,
          redirectUri: row.redirect_uri,
          scopes: scopesOf(row.scopes),
          codeChallenge: row.code_challenge ?? undefined,
          nonce: row.nonce ?? undefined,
          authenticatedAt: row.authenticated_at,
          expiresAt: row.expires_at,
          redeemedAt: row.redeemed_at ?? undefined,
          voidedAt: row.voided_at ?? undefined,
          accountStatus: row.account_status,
        }
      );
    },
    async redeem(code, family, accessToken, at) {
      const { key, userId, clientId } = code;
      const outcome = await database.atomically({
        guard: redeemCode({ key, at }),
        effects: [insertFamily(familyRow(family)), insertAccessToken(accessTokenRow(accessToken))],
        otherwise: [revokeFamiliesIfReplayed({ key, userId, clientId, at })],
      });
      return outcome.happened ? 'redeemed' : 'refused';
    },
  };
}

export const insertCode = statement((sql, p: Param<ReturnType<typeof codeRow>>) =>
  sql.insertInto('authorization_codes').values({
    key: p('key'),
    digest: p('digest'),
    client_id: p('client_id'),
    user_id: p('user_id'),
    redirect_uri: p('redirect_uri'),
    scopes: p('scopes'),
    code_challenge: p('code_challenge'),
    nonce: p('nonce'),
    authenticated_at: p('authenticated_at'),
    expires_at: p('expires_at'),
  }),
);

const selectCode = statement((sql, p: Param<{ key: string }>) =>
  sql
    .selectFrom('authorization_codes')
    .innerJoin('users', 'users.id', 'authorization_codes.user_id')
    .selectAll('authorization_codes')
    .select('users.status as account_status')
    .where('key', '=', p('key')),
);

const redeemCode = statement((sql, p: Param<{ key: string; at: Timestamp }>) =>
  sql
    .updateTable('authorization_codes')
    .set({ redeemed_at: p('at') })
    .where('key', '=', p('key'))
    .where('redeemed_at', 'is', null)
    .where('voided_at', 'is', null),
);

// A code that was voided is refused as well, and betrays nothing about the sign-ins that came after it.
const revokeFamiliesIfReplayed = statement(
  (sql, p: Param<{ key: string; userId: number; clientId: string; at: Timestamp }>) =>
    sql
      .updateTable('token_families')
      .set({ revoked_at: p('at') })
      .where('user_id', '=', p('userId'))
      .where('client_id', '=', p('clientId'))
      .where('revoked_at', 'is', null)
      .where((of) =>
        of.exists(
          of
            .selectFrom('authorization_codes as code')
            .select('code.key')
            .where('code.key', '=', p('key'))
            .where('code.redeemed_at', 'is not', null),
        ),
      ),
);

/** Makes the unredeemed codes of a consent worthless. */
export const voidCodesOf = statement((sql, p: Param<{ userId: number; clientId: string; at: Timestamp }>) =>
  sql
    .updateTable('authorization_codes')
    .set({ voided_at: p('at') })
    .where('user_id', '=', p('userId'))
    .where('client_id', '=', p('clientId'))
    .where('redeemed_at', 'is', null)
    .where('voided_at', 'is', null),
);

export function codeRow(code: NewAuthorizationCode) {
  return {
    key: code.key,
    digest: digestColumn(code.digest),
    client_id: code.clientId,
    user_id: code.userId,
    redirect_uri: code.redirectUri,
    scopes: scopesColumn(code.scopes),
    code_challenge: code.codeChallenge ?? null,
    nonce: code.nonce ?? null,
    authenticated_at: code.authenticatedAt,
    expires_at: code.expiresAt,
  };
}
