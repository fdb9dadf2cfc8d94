// A member who has allowed an application something, at a time that the test chooses, and how every credential that
// came from it is answered now.

import { byMember } from '../../src/audit/doer.ts';
import type { Portico } from '../../src/compose.ts';
import { approve, authorize } from '../../src/oauth/authorization.ts';
import { readAuthorizationRequest } from '../../src/oauth/authorization-request.ts';
import { OAuthError } from '../../src/oauth/errors.ts';
import { Form } from '../../src/oauth/form.ts';
import { API_SCOPES } from '../../src/oauth/scope.ts';
import type { GrantDuration } from '../../src/oauth/store.ts';
import { answerTokenRequest, type TokenResponse } from '../../src/oauth/token-request.ts';
import type { Answer, Caller } from '../support/caller.ts';
import { withApp } from '../support/codes.ts';
import { notebook, type Person, person, type RegisteredClient } from '../support/people.ts';
import { authorizationRequest } from '../support/relying-party.ts';
import { addPersonalToken } from '../support/seeding.ts';
import { redemptionForm, refreshForm } from './races.ts';

export interface Allowed {
  portico: Portico;
  member: Person;
  client: RegisteredClient;
  tokens: TokenResponse;
  /** A second code, which is not redeemed. */
  code: string;
  personal: string;
  /** The secret of the member's authenticator app. */
  appSecret: string | undefined;
}

export interface Times {
  duration: GrantDuration;
  /** When the member allowed the application, and when it got its tokens and its code. */
  allowedAt: number;
  issuedAt: number;
  /** Whether the member has an authenticator app. */
  hasApp?: boolean;
}

const SCOPE = 'openid profile:read posts:read';

/** Add a member who allows a new application everything. */
export async function openAllowed(
  portico: Portico,
  username: string,
  { duration, allowedAt, issuedAt, hasApp = false }: Times,
): Promise<Allowed> {
  const member = await person(portico, username);
  const app = hasApp ? await withApp(portico.identity, member) : undefined;
  const client = await notebook(portico);
  await codeAt(allowedAt);

  /** Send the member to the application, as of this time. */
  async function codeAt(moment: number): Promise<string> {
    const server = { ...portico.oauth, clock: () => moment };
    const by = {
      ...byMember(member, server.clock),
      authenticatedAt: moment,
      provenAt: moment,
      sessionKey: undefined,
    };
    const form = new Form(authorizationRequest(client, { scope: SCOPE, nonce: 'n-0S6' }));
    const read = await readAuthorizationRequest(server, form);
    if (read.outcome !== 'request') throw new Error(read.outcome);
    const silent = await authorize(server, by, read.request);
    if (silent.outcome === 'code') return silent.code;
    const answer = await approve(by, server, read.request, { ticked: API_SCOPES, duration });
    if (answer === undefined || answer instanceof OAuthError) throw answer;
    return answer.code;
  }

  const server = { ...portico.oauth, clock: () => issuedAt };
  const application = await server.reads.findClient(client.id);
  if (application === undefined) throw new Error('The application is not registered.');
  const form = new Form(Object.entries(redemptionForm(client, await codeAt(issuedAt))));
  return {
    portico,
    member,
    client,
    tokens: await answerTokenRequest(server, application, form),
    code: await codeAt(issuedAt),
    personal: (await addPersonalToken(portico, member.id)).text,
    appSecret: app?.secret,
  };
}

const API = '/api/open/v1';

/** Call the API with the access token and with the API token, at every process. */
export async function callApi({ tokens, personal }: Allowed, processes: readonly Caller[]) {
  const use = (path: string, token: string) =>
    Promise.all(processes.map((process) => process.get(path, token))).then(asOne);
  const [me, posts, userinfo, personalMe, personalPosts] = await Promise.all([
    use(`${API}/me`, tokens.access_token),
    use(`${API}/me/posts`, tokens.access_token),
    use('/api/oauth/userinfo', tokens.access_token),
    use(`${API}/me`, personal),
    use(`${API}/me/posts`, personal),
  ]);
  return { me, posts, userinfo, personal: personalMe === personalPosts ? personalMe : 'differs' };
}

/** Refresh the sign-in and redeem the code, once each. */
export async function askTokens({ client, tokens, code }: Allowed, process: Caller) {
  const ask = (form: Record<string, string>) => process.post('/api/oauth/token', form).then(inWords);
  const [refresh, redemption] = await Promise.all([
    tokens.refresh_token === undefined ? 'none' : ask(refreshForm(client, tokens.refresh_token)),
    ask(redemptionForm(client, code)),
  ]);
  return { refresh, code: redemption };
}

// What all processes answered, if they agree.
function asOne(answers: readonly Answer[]): string {
  return [...new Set(answers.map(inWords))].join(' | ');
}

// `ok`, the scope of new tokens, or the status, the error and its description.
function inWords({ status, headers, body }: Answer): string {
  if (status === 200) return body.scope ?? 'ok';
  const challenge = String(headers['www-authenticate'] ?? '');
  const error = body.error ?? /error="(\w+)"/.exec(challenge)?.[1];
  return `${status} ${error}: ${body.error_description ?? body.detail}`;
}
