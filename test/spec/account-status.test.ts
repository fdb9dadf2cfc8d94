// Spec §2.2, §3.4 and contract §4, §7: account status can't be read. An application gets the same answer, byte
// for byte, for a credential of an unusable account as for a revoked one.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import { revokeOwnPersonalToken } from '../../src/oauth/personal-token.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import { tokenOf } from '../http/api/callers.ts';
import { type App, openApp } from '../support/app.ts';
import { openIdRequest } from '../support/openid.ts';
import {
  browserOf,
  notebook,
  type Person,
  person,
  type RegisteredClient,
  setStatus,
} from '../support/people.ts';
import { answerConsent, askToken, pkce, signInWith } from '../support/relying-party.ts';

let app: App;
let client: RegisteredClient;

before(async () => {
  app = await openApp();
  client = await notebook(app.portico);
});
after(() => app.close());

interface Credentials {
  member: Person;
  accessToken: string;
  refreshToken: string;
  personalToken: string;
  exchangeForm: Record<string, string>;
}

async function credentialsOf(username: string): Promise<Credentials> {
  const member = await person(app.portico, username);
  const tokens = await signInWith(app, client, username);
  const { verifier, challenge } = pkce();
  const request = openIdRequest(client, { code_challenge: challenge, code_challenge_method: 'S256' });
  const landed = await answerConsent(await browserOf(app, username), request);
  return {
    member,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    personalToken: await tokenOf(app, member),
    exchangeForm: {
      grant_type: 'authorization_code',
      code: landed.searchParams.get('code') ?? '',
      redirect_uri: client.redirectUri,
      code_verifier: verifier,
    },
  };
}

async function revokeAll({ member }: Credentials): Promise<void> {
  const by = byMember(member, app.portico.clock);
  const { oauth } = app.portico;
  await withdrawOwnConsent(by, oauth, client.id);
  for (const { id } of await oauth.reads.personalTokensOf(member.id)) {
    await revokeOwnPersonalToken(by, oauth, id);
  }
}

// Everything an application can see, but for the date.
async function seen(answer: Response): Promise<object> {
  const headers = [...answer.headers].filter(([name]) => name !== 'date');
  return { status: answer.status, headers, body: await answer.text() };
}

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const api = (path: string, token: string) => fetch(`${app.url}/api/open/v1${path}`, bearer(token));

const QUESTIONS: Record<string, (held: Credentials) => Promise<Response>> = {
  'GET / with an access token': ({ accessToken }) => api('/', accessToken),
  'GET /me with an access token': ({ accessToken }) => api('/me', accessToken),
  'GET /me with a personal token': ({ personalToken }) => api('/me', personalToken),
  'GET /me/posts with an access token': ({ accessToken }) => api('/me/posts', accessToken),
  'GET /me/posts with bad parameters': ({ accessToken }) => api('/me/posts?page=x', accessToken),
  userinfo: ({ accessToken }) => fetch(`${app.url}/api/oauth/userinfo`, bearer(accessToken)),
  'userinfo with a personal token': ({ personalToken }) =>
    fetch(`${app.url}/api/oauth/userinfo`, bearer(personalToken)),
  refresh: ({ refreshToken }) =>
    askToken(app, client, { grant_type: 'refresh_token', refresh_token: refreshToken }),
  'refresh for more scopes': ({ refreshToken }) =>
    askToken(app, client, { grant_type: 'refresh_token', refresh_token: refreshToken, scope: 'openid x' }),
  exchange: ({ exchangeForm }) => askToken(app, client, exchangeForm),
  'exchange with a wrong redirect_uri': ({ exchangeForm }) =>
    askToken(app, client, { ...exchangeForm, redirect_uri: 'https://other.example/' }),
  'exchange with a wrong verifier': ({ exchangeForm }) =>
    askToken(app, client, { ...exchangeForm, code_verifier: 'a'.repeat(43) }),
};

for (const status of ['suspended', 'closed'] as const) {
  for (const later of ['immediately', 'after all credentials have expired']) {
    describe(`an account that is ${status} and one that withdrew consent get the same answers ${later}`, async () => {
      let unusable: Credentials;
      let withdrawn: Credentials;
      before(async () => {
        const name = `${status}-${later.length}`;
        unusable = await credentialsOf(`${name}-a`);
        withdrawn = await credentialsOf(`${name}-b`);
        await setStatus(app.portico.identity, unusable.member.id, status);
        await revokeAll(withdrawn);
        if (later !== 'immediately') app.clock.advance(400 * 86_400_000);
      });

      for (const [name, ask] of Object.entries(QUESTIONS)) {
        test(name, async () => {
          const [ofUnusable, ofWithdrawn] = [
            await seen(await ask(unusable)),
            await seen(await ask(withdrawn)),
          ];

          assert.deepEqual(ofUnusable, ofWithdrawn);
          assert.equal('status' in ofUnusable && Number(ofUnusable.status) >= 400, true);
        });
      }
    });
  }
}
