// The whole flow with real programs: the operator's commands, the server, an application built with openid-client,
// and a member who uses Chromium. Tested with one process, and with two in turn.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as client from 'openid-client';
import type { Browser } from 'playwright-core';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { type TestScope, temporaryFolder } from '../support/databases.ts';
import { type Deployment, openDeployment, withoutDeployment } from '../support/deployments.ts';
import { json } from '../support/json.ts';
import { secretsIn } from '../support/secrets.ts';

const PASSWORD = 'correct horse battery staple';

for (const kind of ['sqlite', 'postgres', 'two workers', 'two machines'] as const) {
  describe(`The whole flow on ${kind}`, { skip: withoutChromium || withoutDeployment(kind) }, () => {
    const ends: (() => void | Promise<void>)[] = [];
    const scope: TestScope = { after: (end) => void ends.push(end) };
    let folder: string;
    let deployment: Deployment;
    let callback: Server;
    let redirectUri: string;
    let browser: Browser;

    before(async () => {
      folder = await temporaryFolder(scope);
      deployment = await openDeployment(kind, scope, { LOG_LEVEL: 'trace' });
      callback = createServer((_, answer) => answer.end('Welcome back to Notebook')).listen(0, '127.0.0.1');
      await once(callback, 'listening');
      redirectUri = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
      browser = await openChromium();
    });
    after(async () => {
      await browser?.close();
      callback?.close();
      for (const end of ends.reverse()) await end();
    });

    test('a real application signs a real member in through a real browser and reads the profile and posts', async () => {
      const secrets = [PASSWORD];

      // The operator creates a member with a post, and registers an application.
      const user = await deployment.command(
        'user',
        'create',
        '--username',
        'alice',
        '--password',
        PASSWORD,
        '--bio',
        'Reads a lot',
      );
      const registration = await deployment.command(
        'client',
        'create',
        '--name',
        'Notebook',
        '--type',
        'confidential',
        '--redirect-uri',
        redirectUri,
      );
      const body = join(folder, 'post.md');
      writeFileSync(body, '# Hello\n\nFlour paste, a *bread knife* and an evening.');
      const post = await deployment.command(
        'post',
        'create',
        '--username',
        'alice',
        '--title',
        'Binding a book',
        '--body-file',
        body,
        '--category',
        'Craft',
      );
      assert.equal(user.username, 'alice');

      // The application sends the member to the authorization page.
      const notebook = new client.Configuration(
        {
          issuer: deployment.url,
          authorization_endpoint: `${deployment.url}/oauth/authorize`,
          token_endpoint: `${deployment.url}/api/oauth/token`,
          revocation_endpoint: `${deployment.url}/api/oauth/revoke`,
          authorization_response_iss_parameter_supported: true,
        },
        registration.client_id ?? '',
        registration.client_secret,
        client.ClientSecretPost(registration.client_secret),
      );
      client.allowInsecureRequests(notebook);
      const verifier = client.randomPKCECodeVerifier();
      const state = client.randomState();
      const request = client.buildAuthorizationUrl(notebook, {
        redirect_uri: redirectUri,
        scope: 'profile:read posts:read',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      });

      // The member signs in and presses Allow; the browser follows to the application.
      const page = await browser.newPage({ locale: 'en-GB' });
      await page.goto(request.href);
      await page.getByLabel('Username').fill('alice');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      assert.match(
        await page.getByRole('heading', { level: 1 }).innerText(),
        /Let Notebook read from your account\?/,
      );
      await page.getByRole('button', { name: 'Allow' }).click();
      assert.equal(await page.innerText('body'), 'Welcome back to Notebook');
      const callback = new URL(page.url());

      // The application exchanges the code and reads.
      const tokens = await client.authorizationCodeGrant(notebook, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
      });
      const read = (path: string, token: string) =>
        client.fetchProtectedResource(
          notebook,
          token,
          new URL(`${deployment.url}/api/open/v1${path}`),
          'GET',
        );
      const me = await json(await read('/me', tokens.access_token));
      assert.equal(me.id, user.id);
      assert.equal(me.username, 'alice');
      assert.equal(me.bio, 'Reads a lot');
      assert.equal(me.profileUrl, `${deployment.url}/u/alice`);
      const posts = await json(await read('/me/posts', tokens.access_token));
      assert.equal(posts.totalElements, 1);
      assert.equal(posts.items[0].id, post.id);
      assert.equal(posts.items[0].title, 'Binding a book');
      assert.equal(posts.items[0].excerpt, 'Flour paste, a bread knife and an evening.');
      assert.equal(posts.items[0].categoryName, 'Craft');
      for (const address of [me.profileUrl, me.avatarUrl, posts.items[0].url])
        assert.equal((await fetch(address)).status, 200);

      // A second visit shows no page: the session and the consent are remembered.
      await page.goto(request.href);
      assert.equal(await page.innerText('body'), 'Welcome back to Notebook');

      // Refresh rotates; the old refresh token is refused, and later ends the sign-in.
      const refreshed = await client.refreshTokenGrant(notebook, tokens.refresh_token ?? '');
      assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
      await assert.rejects(client.refreshTokenGrant(notebook, tokens.refresh_token ?? ''), {
        error: 'invalid_grant',
      });
      const third = await client.refreshTokenGrant(notebook, refreshed.refresh_token ?? '');
      await assert.rejects(client.refreshTokenGrant(notebook, tokens.refresh_token ?? ''), {
        error: 'invalid_grant',
      });
      await assert.rejects(client.refreshTokenGrant(notebook, third.refresh_token ?? ''), {
        error: 'invalid_grant',
      });
      await assert.rejects(read('/me', third.access_token), { status: 401 });

      // A second use of a code is refused, and ends all sign-ins of this member to this application.
      const again = await signInAgain();
      await assert.rejects(
        client.authorizationCodeGrant(notebook, again.callback, {
          pkceCodeVerifier: again.verifier,
          expectedState: again.state,
        }),
        { error: 'invalid_grant' },
      );
      await assert.rejects(read('/me', again.tokens.access_token), { status: 401 });

      // Revocation.
      const revocable = (await signInAgain()).tokens;
      await client.tokenRevocation(notebook, revocable.refresh_token ?? '');
      await assert.rejects(read('/me', revocable.access_token), { status: 401 });

      // After the account is suspended, the next call is answered with 401.
      const last = (await signInAgain()).tokens;
      assert.equal((await read('/me', last.access_token)).status, 200);
      await deployment.command('user', 'set-status', '--username', 'alice', '--status', 'suspended');
      await assert.rejects(read('/me', last.access_token), { status: 401 });

      // None of the secrets is in the log or in the database.
      secrets.push(verifier, ...(await page.context().cookies()).map(({ value }) => value));
      for (const text of [deployment.output(), ...databaseFiles(deployment)])
        assert.deepEqual(secretsIn(text, secrets), []);
      assert.ok(secretsIn(tokens.access_token, []).length === 1, 'the search finds what it must');

      async function signInAgain() {
        const proof = client.randomPKCECodeVerifier();
        const fresh = client.randomState();
        const url = client.buildAuthorizationUrl(notebook, {
          redirect_uri: redirectUri,
          scope: 'profile:read posts:read',
          code_challenge: await client.calculatePKCECodeChallenge(proof),
          code_challenge_method: 'S256',
          state: fresh,
        });
        await page.goto(url.href);
        const at = new URL(page.url());
        const checks = { pkceCodeVerifier: proof, expectedState: fresh };
        return {
          verifier: proof,
          state: fresh,
          callback: at,
          tokens: await client.authorizationCodeGrant(notebook, at, checks),
        };
      }
    });
  });
}

/** Return the contents of the files of an embedded database. */
function databaseFiles({ portico }: Deployment): string[] {
  const { database } = portico.config;
  if (database.kind !== 'sqlite') return [];
  const folder = dirname(database.path);
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
}
