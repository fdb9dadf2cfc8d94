// Mistakes in token requests.

import { byServer } from '../../src/audit/doer.ts';
import { DAY, MINUTE } from '../../src/lib/clock.ts';
import { rotateClientSecret } from '../../src/oauth/client.ts';
import { askToken, pkce } from '../support/relying-party.ts';
import { exchange, exchangeWith, type Mistake, refreshWith, server, signedIn } from './mistake.ts';

export const TOKEN_MISTAKES: readonly Mistake[] = [
  {
    name: 'an expired code',
    make: async (world) => {
      const client = await server(world);
      const fields = await exchange(world, client);
      world.app.clock.advance(6 * MINUTE);
      await askToken(world.app, client, fields);
      return client;
    },
    rule: 'code_expired',
    page: 'invalid_grant',
    cause: 'The code is older than 5 minutes.',
    fix: 'Redeem the code at once',
    explained: 'older than <strong>5 minutes</strong>',
  },
  {
    name: 'a code that is used twice',
    make: async (world) => {
      const client = await server(world);
      const fields = await exchange(world, client);
      await askToken(world.app, client, fields);
      await askToken(world.app, client, fields);
      return client;
    },
    rule: 'code_used',
    page: 'invalid_grant',
    cause: 'The code was redeemed before.',
    fix: 'Look for a callback that runs twice',
    explained: 'a callback that runs twice',
  },
  {
    name: 'the code of another application',
    make: async (world) => {
      const client = await server(world);
      const fields = await exchange(world, await server(world));
      await askToken(world.app, client, fields);
      return client;
    },
    rule: 'code_unknown',
    page: 'invalid_grant',
    cause: 'The code was not issued to this application',
    fix: 'Redeem the code with the client_id that the authorization request had.',
    explained: 'The code was issued to another application.',
  },
  {
    name: 'a code verifier that does not match',
    make: (world) => exchangeWith(world, { code_verifier: pkce().verifier }),
    rule: 'verifier_mismatch',
    page: 'invalid_grant',
    cause: 'The S256 digest of the code_verifier is not the code_challenge of the authorization request.',
    fix: 'Keep one verifier for each request',
    shows: ['S256 = ', 'code_challenge = '],
    explained: '<code>code_verifier</code> doesn’t match the <code>code_challenge</code>',
  },
  {
    name: 'another redirect_uri at the token endpoint',
    make: (world) => exchangeWith(world, { redirect_uri: 'https://notebook.example.com/callback/' }),
    rule: 'code_redirect_uri_differs',
    page: 'invalid_grant',
    cause: 'The redirect_uri is not the one of the authorization request.',
    fix: 'Send the same address both times',
    shows: ['<pre>https://notebook.example.com/callback<mark>/</mark></pre>'],
    explained: 'not exactly the same as in the authorization request',
  },
  {
    name: 'a secret that was rotated',
    make: async (world) => {
      const { app } = world;
      const client = await server(world);
      const fields = await exchange(world, client);
      await rotateClientSecret(byServer(app.clock.read), app.portico.oauth, client.id);
      await askToken(app, client, fields);
      return client;
    },
    rule: 'secret_wrong',
    page: 'invalid_client',
    cause: 'it is not a current one of this application',
    fix: 'Use the newest secret in every place where the program runs.',
    shows: ['SHA-256 = '],
    explained: 'was rotated',
  },
  {
    name: 'a secret that was cut off',
    make: async (world) => {
      const client = await server(world);
      await askToken(
        world.app,
        { ...client, secret: client.secret.slice(0, 40) },
        { grant_type: 'refresh_token' },
      );
      return client;
    },
    rule: 'secret_malformed',
    page: 'invalid_client',
    cause: 'What was sent as client_secret is not a secret of this site',
    fix: 'Copy the secret again, whole.',
    shows: ['length = 40', 'length = 65'],
    explained: 'was cut off when it was copied',
  },
  {
    name: 'JSON instead of a form',
    make: async (world) => {
      const client = await server(world);
      const fields = {
        client_id: client.id,
        client_secret: client.secret,
        ...(await exchange(world, client)),
      };
      await fetch(`${world.app.url}/api/oauth/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(fields),
      });
      return client;
    },
    rule: 'content_type_wrong',
    page: 'invalid_request',
    cause: 'The body is not a URL-encoded form.',
    fix: 'Send Content-Type: application/x-www-form-urlencoded',
    shows: ['<pre>application/json</pre>'],
    explained: 'JSON is not accepted there',
  },
  {
    name: 'a form in the encoding of file uploads',
    make: async (world) => {
      const client = await server(world);
      const body = new FormData();
      body.set('client_id', client.id);
      body.set('client_secret', client.secret);
      body.set('grant_type', 'authorization_code');
      await fetch(`${world.app.url}/api/oauth/token`, { method: 'POST', body });
      return client;
    },
    rule: 'content_type_wrong',
    page: 'invalid_request',
    cause: 'The body is not a URL-encoded form.',
    fix: 'JSON and multipart/form-data are not understood here.',
    shows: ['<pre>multipart/form-data</pre>'],
    explained: 'The body is not <code>application/x-www-form-urlencoded</code>',
  },
  {
    name: 'a grant type for members’ passwords',
    make: async (world) => {
      const client = await server(world);
      await askToken(world.app, client, { grant_type: 'password', username: 'alice', password: 'x' });
      return client;
    },
    rule: 'grant_type_unsupported',
    page: 'unsupported_grant_type',
    cause: 'This grant_type is not supported.',
    fix: 'Send authorization_code or refresh_token.',
    explained: 'applications never see a member’s password here',
  },
  {
    name: 'two refreshes at once',
    make: async (world) => {
      const { client, tokens } = await signedIn(world);
      await Promise.all([1, 2].map(() => refreshWith(world, client, tokens.refresh_token)));
      return client;
    },
    rule: 'refresh_token_raced',
    page: 'invalid_grant',
    cause: 'Two refreshes of the same sign-in ran at once.',
    fix: 'Refresh in one place at a time',
    explained: 'two processes refreshed at the same time',
  },
  {
    name: 'a refresh token that is used again later',
    make: async (world) => {
      const { client, tokens } = await signedIn(world);
      await refreshWith(world, client, tokens.refresh_token);
      world.app.clock.advance(MINUTE);
      await refreshWith(world, client, tokens.refresh_token);
      return client;
    },
    rule: 'refresh_token_used',
    page: 'invalid_grant',
    cause: 'The refresh token was used before, so the sign-in has ended',
    fix: 'Store the new refresh token of each answer before you use it',
    explained: '<strong>was used before</strong>',
  },
  {
    name: 'a refresh token that is too old',
    make: async (world) => {
      const { client, tokens } = await signedIn(world);
      world.app.clock.advance(31 * DAY);
      await refreshWith(world, client, tokens.refresh_token);
      return client;
    },
    rule: 'refresh_token_expired',
    page: 'invalid_grant',
    cause: 'The refresh token is older than 30 days',
    fix: 'Ask the member to sign in again.',
    explained: 'older than 30 days',
  },
];
