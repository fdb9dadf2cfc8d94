// Tokens: creating API tokens, revoking tokens of any kind.

import { byCommandLine } from '../../audit/doer.ts';
import { Refusal } from '../../lib/refusal.ts';
import { revokeAsOperator } from '../../oauth/operator-revocation.ts';
import {
  createPersonalToken,
  DEFAULT_PERSONAL_TOKEN_DAYS,
  MOST_PERSONAL_TOKENS,
  type PersonalTokenProblem,
  revokePersonalToken,
} from '../../oauth/personal-token.ts';
import { API_SCOPES, scopeSet } from '../../oauth/scope.ts';
import { command, type Result } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { findOpenAccount, withPortico } from '../portico.ts';

const create = command({
  name: 'token create',
  summary: 'create an API token for a member',
  details: 'The token is shown only once.',
  options: {
    username: { kind: 'text', value: 'NAME', summary: "the member's username", required: true },
    name: { kind: 'text', value: 'NAME', summary: 'a name for the token', required: true },
    scope: {
      kind: 'list',
      value: 'SCOPE',
      summary: 'a scope of the token',
      choices: API_SCOPES,
      spaced: true,
      required: true,
    },
    days: {
      kind: 'integer',
      value: 'N',
      summary: `how many days the token is valid, ${DEFAULT_PERSONAL_TOKEN_DAYS} if left out`,
    },
  },
  async run({ username, name, scope, days }, context) {
    return withPortico(context, async (portico) => {
      const { id: userId } = await findOpenAccount(portico, username);
      const token = await createPersonalToken(byCommandLine(portico.clock), portico.oauth, {
        userId,
        name,
        scopes: scopeSet(scope),
        days: days ?? DEFAULT_PERSONAL_TOKEN_DAYS,
      });
      if ('problem' in token) throw new Refusal(`token_${token.problem}`, PROBLEMS[token.problem]);
      return {
        json: { id: token.id, token: token.text },
        text: `${token.text}\nThe token can't be shown again. To revoke it: token revoke --id ${token.id}`,
      };
    });
  },
});

const revoke = command({
  name: 'token revoke',
  summary: 'revoke a token of any kind',
  details:
    'An access token is revoked alone. A refresh token is revoked with all tokens of its sign-in. An API token can ' +
    'also be revoked by its id.',
  options: {
    token: { kind: 'text', value: 'TOKEN', summary: 'the token; - reads it from standard input' },
    id: { kind: 'integer', value: 'ID', summary: 'the id of an API token' },
  },
  async run({ token, id }, context) {
    if ((token === undefined) === (id === undefined)) {
      throw new WrongUsage('Use either --token or --id.');
    }
    const text = token === '-' ? (await context.readInput()).trim() : token;
    return withPortico(context, async ({ oauth, clock }): Promise<Result> => {
      const by = byCommandLine(clock);
      if (id !== undefined) {
        const isRevoked = await revokePersonalToken(by, oauth, id);
        if (!isRevoked) throw new Refusal('token_not_found', `There is no active API token ${id}.`);
        return { json: { revoked: 'personal', id }, text: `Revoked API token ${id}.` };
      }
      const kind = await revokeAsOperator(by, oauth, text ?? '');
      if (kind === undefined) throw new Refusal('token_not_found', 'There is no such token.');
      return { json: { revoked: kind }, text: REVOKED[kind] };
    });
  },
});

export const tokenCommands = [create, revoke];

const REVOKED = {
  access: 'Revoked the access token.',
  refresh: 'Revoked the refresh token and all tokens of its sign-in.',
  personal: 'Revoked the API token.',
};

const PROBLEMS: Record<PersonalTokenProblem, string> = {
  name: '--name must have 1 to 60 visible characters.',
  note: 'The note has more than 200 characters.',
  addresses: 'An allowed address is not an address or a range.',
  scopes: '--scope is missing: the token needs at least one.',
  days: '--days must be from 1 to 3650.',
  too_many: `The member has ${MOST_PERSONAL_TOKENS} active API tokens. Revoke one first.`,
  made_already: 'The token was created already.',
};
