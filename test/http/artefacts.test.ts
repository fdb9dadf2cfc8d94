// Each credential is valid for one purpose only: every credential is tried at every place that accepts one.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SECOND } from '../../src/lib/clock.ts';
import { checksumOf } from '../../src/lib/secrets.ts';
import { type App, openApp } from '../support/app.ts';
import { Browser, formIn } from '../support/browser.ts';
import { openIdRequest, openIdTokens } from '../support/openid.ts';
import { browserOf, notebook, person, pocket, type RegisteredClient } from '../support/people.ts';
import { answerConsent, askToken, authorizationRequest, postForm } from '../support/relying-party.ts';
import { damagedCopies } from './damage.ts';

const NAMES = [
  'code',
  'access token',
  'refresh token',
  'API token',
  'client secret',
  'client id',
  'session cookie',
  'form token',
  'seal of a consent page',
  'seal of a sign-out page',
  'set-up token',
  'id_token',
] as const;
type Name = (typeof NAMES)[number];

interface Consumer {
  name: string;
  takes: readonly Name[];
  /** Whether a text is accepted as one of the credentials that belong here. */
  accepts(text: string): Promise<boolean>;
}

const BYE = 'https://notebook.example.com/bye';
const PREFIXED = ['code', 'access token', 'refresh token', 'API token', 'client secret'] as const;
const LETTER = {
  code: 'c',
  'access token': 'o',
  'refresh token': 'r',
  'API token': 'p',
  'client secret': 's',
};

let app: App;
let client: RegisteredClient;
let phone: RegisteredClient;
let browser: Browser;
let consentFields: Map<string, string>;
let logoutFields: Map<string, string>;
let artefacts: Record<Name, string>;

before(async () => {
  app = await openApp();
  await person(app.portico, 'alice');
  client = await notebook(app.portico, { postLogoutRedirectUris: [BYE] });
  phone = await pocket(app.portico);
  browser = await browserOf(app, 'alice');
  const tokens = await openIdTokens(app, client, browser, { scope: 'openid profile:read' });
  const callback = await answerConsent(browser, authorizationRequest(client, { scope: 'profile:read' }));
  const settings = await (await browser.open('/settings/tokens')).text();
  const tokenPage = await browser.submit(settings, '/settings/tokens', {
    name: 'script',
    scope: 'profile:read',
  });
  const apiToken = /svcp_[A-Za-z0-9]+/.exec(await tokenPage.text())?.[0] ?? '';
  // Both pages get the same query, so their seals differ only by purpose.
  const query = openIdRequest(phone, PKCE);
  const consent = await browser.open(`/oauth/authorize?${query}`);
  consentFields = new Map(formIn(await consent.text(), '/oauth/consent'));
  const question = await browser.open(`/oauth/logout?${query}`);
  logoutFields = new Map(formIn(await question.text(), '/oauth/logout/answer'));
  artefacts = {
    code: callback.searchParams.get('code') ?? '',
    'access token': tokens.access_token,
    'refresh token': tokens.refresh_token,
    'API token': apiToken,
    'client secret': client.secret,
    'client id': client.id,
    'session cookie': browser.cookie('portico_session') ?? '',
    'form token': consentFields.get('form_token') ?? '',
    'seal of a consent page': consentFields.get('seal') ?? '',
    'seal of a sign-out page': logoutFields.get('seal') ?? '',
    'set-up token': await app.portico.setupToken(),
    id_token: tokens.id_token ?? '',
  };
  assert.ok(Object.values(artefacts).every((text) => text.length > 20));
});
after(() => app.close());

const PKCE = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

const CONSUMERS: Consumer[] = [
  {
    name: 'the read-only API',
    takes: ['access token', 'API token'],
    accepts: async (text) => (await withBearer('/api/open/v1', text)).status === 200,
  },
  {
    name: 'the read-only API, anywhere but as a bearer token',
    takes: [],
    accepts: async (text) => {
      const [url, encoded] = [`${app.url}/api/open/v1`, encodeURIComponent(text)];
      const basics = [btoa(`alice:${encoded}`), btoa(`${encoded}:`)];
      const answers = await Promise.all([
        fetch(`${url}?access_token=${encoded}`),
        fetch(`${url}?token=${encoded}`),
        ...basics.map((basic) => fetch(url, { headers: { Authorization: `Basic ${basic}` } })),
        ...['access_token', 'token', 'portico_session'].map((cookie) =>
          fetch(url, { headers: { Cookie: `${cookie}=${encoded}` } }),
        ),
      ]);
      return answers.some(({ status }) => status === 200);
    },
  },
  {
    name: 'a page for members, as a bearer token',
    takes: [],
    accepts: async (text) => (await withBearer('/settings/tokens', text)).status === 200,
  },
  {
    name: 'userinfo, in the header',
    takes: ['access token'],
    accepts: async (text) => (await withBearer('/api/oauth/userinfo', text)).status === 200,
  },
  {
    name: 'userinfo, in a form',
    takes: ['access token'],
    accepts: async (text) =>
      (await postForm(app, '/api/oauth/userinfo', { access_token: text })).status === 200,
  },
  {
    name: 'the session cookie',
    takes: ['session cookie'],
    accepts: async (text) => {
      const visitor = new Browser(app.url);
      visitor.setCookie('portico_session', text);
      return (await visitor.open('/settings/profile')).status === 200;
    },
  },
  {
    name: 'the form token of a page',
    takes: ['form token'],
    accepts: async (text) => {
      const form = new URLSearchParams({ form_token: text, bio: 'Reads a lot' });
      return (await browser.post('/settings/profile', form)).status === 303;
    },
  },
  {
    name: 'the seal of a consent page',
    takes: ['seal of a consent page'],
    accepts: async (text) => {
      const form = new URLSearchParams([...consentFields, ['decision', 'deny']]);
      form.set('seal', text);
      return (await browser.post('/oauth/consent', form)).status === 303;
    },
  },
  {
    name: 'the seal of a sign-out page',
    takes: ['seal of a sign-out page'],
    accepts: async (text) => {
      const form = new URLSearchParams([...logoutFields, ['decision', 'stay']]);
      form.set('seal', text);
      return (await browser.post('/oauth/logout/answer', form)).headers.get('location') === '/';
    },
  },
  {
    name: 'the set-up page',
    takes: ['set-up token'],
    accepts: async (text) =>
      (await new Browser(app.url).follow(`/setup?${new URLSearchParams({ token: text })}`)).status === 200,
  },
  {
    name: 'id_token_hint, with prompt=none',
    takes: ['id_token'],
    accepts: async (text) => {
      const request = openIdRequest(client, { prompt: 'none', id_token_hint: text });
      const { headers } = await browser.open(`/oauth/authorize?${request}`);
      return new URL(headers.get('location') ?? '').searchParams.has('code');
    },
  },
  {
    name: 'id_token_hint, when signing out',
    takes: ['id_token'],
    accepts: async (text) => {
      const query = new URLSearchParams({ id_token_hint: text, post_logout_redirect_uri: BYE });
      return (await new Browser(app.url).open(`/oauth/logout?${query}`)).status === 303;
    },
  },
  {
    name: 'the token endpoint, as a refresh token',
    takes: ['refresh token'],
    accepts: async (text) =>
      (await askToken(app, client, { grant_type: 'refresh_token', refresh_token: text })).status === 200,
  },
  {
    name: 'the token endpoint, as a code',
    takes: ['code'],
    accepts: async (text) => {
      const form = { grant_type: 'authorization_code', code: text, redirect_uri: client.redirectUri };
      return (await askToken(app, client, form)).status === 200;
    },
  },
  // These come last: they move the clock on to stay within the limit on guesses, and the code expires.
  {
    name: 'client_id',
    takes: [],
    accepts: (text) => authenticates({ client_id: text }),
  },
  {
    name: 'client_secret, in the body',
    takes: ['client secret'],
    accepts: (text) => authenticates({ client_id: client.id, client_secret: text }),
  },
  {
    name: 'client_secret, in the header',
    takes: ['client secret'],
    accepts: (text) => authenticates({}, `Basic ${btoa(`${client.id}:${encodeURIComponent(text)}`)}`),
  },
];

test('The revocation endpoint revokes only tokens: other credentials stay valid', async () => {
  for (const name of NAMES) {
    if (name === 'access token' || name === 'refresh token') continue;
    const form = { client_id: client.id, client_secret: client.secret, token: artefacts[name] };

    assert.equal((await postForm(app, '/api/oauth/revoke', form)).status, 200, name);
  }
  // The tests below show that each still works.
});

for (const consumer of CONSUMERS) {
  describe(`${consumer.name} refuses`, () => {
    for (const name of NAMES.filter((one) => !consumer.takes.includes(one))) {
      test(`a ${name}`, async () => {
        assert.equal(await consumer.accepts(artefacts[name]), false);
      });
    }

    test('one credential with the prefix of another and the right checksum', async () => {
      for (const name of PREFIXED) {
        for (const label of PREFIXED.filter((one) => one !== name)) {
          const text = relabel(artefacts[name], LETTER[label]);
          assert.equal(await consumer.accepts(text), false, `${name} as ${label}`);
        }
      }
    });

    test('its own credentials cut short, extended, and in the other case', async () => {
      for (const text of consumer.takes.flatMap((name) => damagedCopies(artefacts[name]))) {
        assert.equal(await consumer.accepts(text), false, text);
      }
    });
  });

  test(`${consumer.name} accepts ${consumer.takes.join(' or ') || 'none of them'}`, async () => {
    for (const name of consumer.takes) assert.equal(await consumer.accepts(artefacts[name]), true, name);
  });
}

async function authenticates(fields: Record<string, string>, authorization?: string): Promise<boolean> {
  app.clock.advance(10 * SECOND);
  const headers = new Headers(authorization === undefined ? {} : { Authorization: authorization });
  const body = new URLSearchParams({ ...fields, token: 'x' });
  const { status } = await fetch(`${app.url}/api/oauth/revoke`, { method: 'POST', headers, body });
  assert.notEqual(status, 429);
  return status === 200;
}

function withBearer(path: string, token: string): Promise<Response> {
  // Encoded, because a header can't contain every character.
  return fetch(app.url + path, {
    headers: { Authorization: `Bearer ${encodeURI(token)}` },
    redirect: 'manual',
  });
}

function relabel(text: string, letter: string): string {
  const unchecked = `svc${letter}_${text.slice('svco_'.length, -6)}`;
  return unchecked + checksumOf(unchecked);
}
