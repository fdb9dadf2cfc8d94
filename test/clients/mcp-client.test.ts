// The official client of the Model Context Protocol, as an assistant uses it, with its own discovery and sign-in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  Client,
  type ClientOptions,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type App, openApp } from '../support/app.ts';
import { applicationOf, type DocumentSites, openDocumentSites } from '../support/documents.ts';
import { browserOf, notebook, person, pocket, publish, type RegisteredClient } from '../support/people.ts';
import { answerConsent } from '../support/relying-party.ts';

let app: App;
let sites: DocumentSites;
const ends: (() => unknown)[] = [];

before(async () => {
  sites = await openDocumentSites({ after: (end) => ends.push(end) });
  app = await openApp({}, undefined, sites.fetch);
  const alice = await person(app.portico, 'alice', 'Reads a lot');
  for (const title of ['First words', 'A walk at dawn']) await publish(app.portico, alice, title);
});
after(async () => {
  for (const end of ends) await end();
  await app.close();
});

/**
 * What an assistant keeps: its registration or the address where it describes itself, its tokens, and the address that
 * it opened in the browser.
 */
class Assistant implements OAuthClientProvider {
  readonly redirectUrl: string;
  opened: URL | undefined;
  readonly clientMetadataUrl?: string;
  private registration: StoredOAuthClientInformation | undefined;
  private saved: StoredOAuthTokens | undefined;
  private verifier = '';
  private discovered: unknown;

  constructor({ id, secret, redirectUri }: RegisteredClient) {
    this.redirectUrl = redirectUri;
    if (id.startsWith('https://')) {
      this.clientMetadataUrl = id;
      return;
    }
    this.registration = {
      issuer: app.url,
      client_id: id,
      ...(secret === '' ? {} : { client_secret: secret }),
    };
  }

  get clientMetadata() {
    return { client_name: 'Assistant', redirect_uris: [this.redirectUrl] };
  }
  state = () => 'a-state-of-the-assistant';
  clientInformation = () => this.registration;
  saveClientInformation(registration: StoredOAuthClientInformation) {
    this.registration = registration;
  }
  tokens = () => this.saved;
  saveTokens(tokens: StoredOAuthTokens) {
    this.saved = tokens;
  }
  redirectToAuthorization(address: URL) {
    this.opened = address;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier = () => this.verifier;
  saveDiscoveryState(state: unknown) {
    this.discovered = state;
  }
  discoveryState = () => this.discovered as never;
}

function connectionOf(
  assistant: Assistant,
  options?: ClientOptions,
): [Client, StreamableHTTPClientTransport] {
  const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { authProvider: assistant });
  return [new Client({ name: 'assistant', version: '1.0.0' }, options), transport];
}

/** Sign alice in on the pages that the assistant opened, and give it the answer. */
async function signIn(
  assistant: Assistant,
  transport: StreamableHTTPClientTransport,
  scope?: string[],
): Promise<void> {
  const browser = await browserOf(app, 'alice');
  const fields = { decision: 'allow', ...(scope === undefined ? {} : { scope }) };
  const callback = await answerConsent(browser, assistant.opened?.searchParams as URLSearchParams, fields);
  await transport.finishAuth(callback.searchParams);
}

for (const [kind, register] of [
  ['public', pocket],
  ['confidential', notebook],
  ['self-describing', async () => applicationOf(sites.add())],
] as const) {
  test(`A ${kind} assistant discovers the server, signs the member in, and reads profile and posts`, async () => {
    const assistant = new Assistant(await register(app.portico));
    const [client, transport] = connectionOf(assistant);

    await assert.rejects(client.connect(transport), UnauthorizedError);
    assert.equal(assistant.opened?.searchParams.get('resource'), `${app.url}/mcp`);
    assert.equal(assistant.opened?.searchParams.get('scope'), 'profile:read posts:read');
    await signIn(assistant, transport);
    const [again, connection] = connectionOf(assistant);
    await again.connect(connection);

    const { tools } = await again.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [
        ['get_profile', true],
        ['list_posts', true],
      ],
    );
    // The client checks results against the schemas of the tools that it has listed.
    const profile = await again.callTool({ name: 'get_profile', arguments: {} });
    const posts = await again.callTool({ name: 'list_posts', arguments: { size: 1 } });
    const { access_token: token } = assistant.tokens() as StoredOAuthTokens;
    const headers = { Authorization: `Bearer ${token}` };
    const api = (path: string) =>
      fetch(`${app.url}/api/open/v1${path}`, { headers }).then((answer) => answer.json());
    assert.deepEqual(profile.structuredContent, await api('/me'));
    assert.deepEqual(posts.structuredContent, await api('/me/posts?size=1'));
    assert.equal(
      (posts.structuredContent as { items: { title: string }[] }).items[0]?.title,
      'A walk at dawn',
    );
    await again.close();
  });
}

test('An assistant whose member unticked the posts asks for them again when it needs them', async () => {
  const assistant = new Assistant(await notebook(app.portico));
  const [client, transport] = connectionOf(assistant);
  await assert.rejects(client.connect(transport), UnauthorizedError);
  await signIn(assistant, transport, ['profile:read']);
  const [again, connection] = connectionOf(assistant);
  await again.connect(connection);

  await assert.rejects(again.callTool({ name: 'list_posts', arguments: {} }), UnauthorizedError);
  assert.match(assistant.opened?.searchParams.get('scope') ?? '', /posts:read/);
  await signIn(assistant, connection);
  const [last, third] = connectionOf(assistant);
  await last.connect(third);
  const posts = await last.callTool({ name: 'list_posts', arguments: {} });

  assert.equal((posts.structuredContent as { totalElements: number }).totalElements, 2);
  await last.close();
});

test('An assistant whose access token has expired refreshes it and reads on', async () => {
  const assistant = new Assistant(await pocket(app.portico));
  const [client, transport] = connectionOf(assistant);
  await assert.rejects(client.connect(transport), UnauthorizedError);
  await signIn(assistant, transport);
  const first = assistant.tokens()?.access_token;
  app.clock.advance(2 * 60 * 60 * 1000);

  const [again, connection] = connectionOf(assistant);
  await again.connect(connection);

  assert.equal((await again.callTool({ name: 'get_profile', arguments: {} })).isError, undefined);
  assert.notEqual(assistant.tokens()?.access_token, first);
  await again.close();
});

test('An assistant of the revision of 2026 reads without a session, as one of 2025 does', async () => {
  const assistant = new Assistant(await pocket(app.portico));
  const [client, transport] = connectionOf(assistant);
  await assert.rejects(client.connect(transport), UnauthorizedError);
  await signIn(assistant, transport);

  const [again, connection] = connectionOf(assistant, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  await again.connect(connection);

  assert.equal(again.getNegotiatedProtocolVersion(), '2026-07-28');
  const posts = await again.callTool({ name: 'list_posts', arguments: { page: 1, size: 1 } });
  assert.equal((posts.structuredContent as { page: number }).page, 1);
  await again.close();
});
