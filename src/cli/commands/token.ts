// Tokens: making personal ones, revoking any.

import { actNow } from '../../identity/act.ts';
import { Refusal } from '../../lib/refusal.ts';
import { revokeAsOperator } from '../../oauth/operator-revocation.ts';
import {
  createPersonalToken,
  DEFAULT_PERSONAL_TOKEN_DAYS,
  MOST_PERSONAL_TOKENS,
  type PersonalTokenProblem,
} from '../../oauth/personal-token.ts';
import { API_SCOPES, scopeSet } from '../../oauth/scope.ts';
import { command, type Result } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { findOpenAccount, withPortico } from '../portico.ts';

const create = command({
  name: 'token create',
  summary: 'make a personal token for a member',
  details: 'The token is shown only now.',
  options: {
    username: { kind: 'text', value: 'NAME', summary: "the member's name", required: true },
    name: { kind: 'text', value: 'NAME', summary: 'what the token is for', required: true },
    scope: {
      kind: 'list',
      value: 'SCOPE',
      summary: 'what it may read',
      choices: API_SCOPES,
      spaced: true,
      required: true,
    },
    days: {
      kind: 'integer',
      value: 'N',
      summary: `how many days it lives, ${DEFAULT_PERSONAL_TOKEN_DAYS} if left out`,
    },
  },
  async run({ username, name, scope, days }, context) {
    return withPortico(context, async (portico) => {
      const { id: userId } = await findOpenAccount(portico, username);
      const made = await createPersonalToken(portico.oauth, {
        userId,
        name,
        scopes: scopeSet(scope),
        days: days ?? DEFAULT_PERSONAL_TOKEN_DAYS,
      });
      if ('problem' in made) throw new Refusal(`token_${made.problem}`, PROBLEMS[made.problem]);
      return {
        json: { id: made.id, token: made.text },
        text: `${made.text}\nThe token is not shown again. Its number, to revoke it by: ${made.id}.`,
      };
    });
  },
});

const revoke = command({
  name: 'token revoke',
  summary: 'revoke a token of any kind',
  details:
    'An access token is revoked alone, a refresh token with its whole sign-in. Without the token itself, a personal ' +
    'token is revoked by its number.',
  options: {
    token: { kind: 'text', value: 'TOKEN', summary: 'the token; - reads it from standard input' },
    id: { kind: 'integer', value: 'ID', summary: 'the number of a personal token' },
  },
  async run({ token, id }, context) {
    if ((token === undefined) === (id === undefined)) {
      throw new WrongUsage('Give either --token or --id.');
    }
    const text = token === '-' ? (await context.readInput()).trim() : token;
    return withPortico(context, async ({ oauth, clock }): Promise<Result> => {
      if (id !== undefined) {
        const done = await oauth.writes.revokePersonalToken(id, undefined, clock(), actNow(clock));
        if (!done) throw new Refusal('token_not_found', `No personal token ${id} is left to revoke.`);
        return { json: { revoked: 'personal', id }, text: `Revoked the personal token ${id}.` };
      }
      const kind = await revokeAsOperator(oauth, text ?? '', actNow(clock));
      if (kind === undefined) throw new Refusal('token_not_found', 'The token is not known here.');
      return { json: { revoked: kind }, text: REVOKED[kind] };
    });
  },
});

export const tokenCommands = [create, revoke];

const REVOKED = {
  access: 'Revoked the access token.',
  refresh: 'Revoked the refresh token and its whole sign-in.',
  personal: 'Revoked the personal token.',
};

const PROBLEMS: Record<PersonalTokenProblem, string> = {
  name: 'The name must have 1 to 60 characters.',
  scopes: 'At least one scope is needed.',
  days: 'The token must live 1 to 3650 days.',
  too_many: `The member has ${MOST_PERSONAL_TOKENS} live tokens; revoke one first.`,
  made_already: 'The token was made already.',
};
