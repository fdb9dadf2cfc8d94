// Mistakes in calls of the API, and in revoking.

import { byMember } from '../../src/audit/doer.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { pauseOwnConsent } from '../../src/oauth/pause.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import { callApi, postForm } from '../support/relying-party.ts';
import { call, type Mistake, server, signedIn } from './mistake.ts';

export const API_MISTAKES: readonly Mistake[] = [
  {
    name: 'an access token that is too old',
    make: async (world) => {
      const { client, tokens } = await signedIn(world);
      world.app.clock.advance(2 * HOUR);
      await callApi(world.app, '/me', tokens.access_token);
      return client;
    },
    rule: 'access_token_expired',
    page: 'invalid_token',
    cause: 'The access token is older than an hour.',
    fix: 'Refresh shortly before expires_in is over',
    explained: 'access tokens are valid for one hour',
  },
  {
    name: 'a refresh token at the API',
    make: (world) => call(world, '/me', 'refresh_token'),
    rule: 'refresh_token_as_access_token',
    page: 'invalid_token',
    cause: 'A refresh token was sent to the API.',
    fix: 'Send the access_token.',
    explained: 'It is not an access token: a refresh token',
  },
  {
    name: 'the secret at the API',
    make: async (world) => {
      const client = await server(world);
      await callApi(world.app, '/me', client.secret);
      return client;
    },
    rule: 'secret_as_access_token',
    page: 'invalid_token',
    cause: 'The secret of the application was sent to the API.',
    fix: 'The secret goes to the token endpoint only.',
    explained: 'an application’s secret',
  },
  {
    name: 'a token in the address',
    make: async (world) => {
      const { client, tokens } = await signedIn(world);
      await fetch(`${world.app.url}/api/open/v1/me?access_token=${tokens.access_token}`);
      return client;
    },
    rule: 'token_in_address',
    page: 'missing_token',
    cause: 'It has leaked: addresses end up in logs.',
    fix: 'Revoke the token, and send the next one in the header',
    explained: 'A token in an address has leaked',
  },
  {
    name: 'a scope that the member did not allow',
    make: async (world) => {
      const { client, tokens } = await signedIn(world, 'profile:read');
      await callApi(world.app, '/me/posts', tokens.access_token);
      return client;
    },
    rule: 'scope_lacking',
    page: 'insufficient_scope',
    cause: 'The token lacks the scope that this address needs.',
    fix: 'Members can untick scopes',
    shows: ['<pre>profile:read</pre>', '<pre>posts:read</pre>'],
    explained: 'The member unticked it.',
  },
  {
    name: 'a wrong path of the API',
    make: (world) => call(world, '/me/post'),
    rule: 'api_path_unknown',
    page: 'not_found',
    cause: 'There is nothing at this path.',
    fix: 'Compare it with the paths of the API.',
    shows: ['<pre>/api/open/v1/me/post<mark>s</mark></pre>'],
    explained: 'has no endpoint at this address',
  },
  {
    name: 'too many calls in a minute',
    make: async (world) => {
      const { client, tokens } = await signedIn(world);
      for (let calls = 0; calls < 61; calls += 1) await callApi(world.app, '/me', tokens.access_token);
      return client;
    },
    rule: 'too_many_requests',
    page: 'rate_limited',
    cause: 'There were too many requests within a minute.',
    fix: 'Wait for as many seconds as Retry-After says',
    explained: 'You sent too many requests.',
  },
  {
    name: 'access that the member removed',
    make: async (world) => {
      const { app, alice } = world;
      const { client, tokens } = await signedIn(world);
      await withdrawOwnConsent(byMember(alice, app.clock.read), app.portico.oauth, client.id);
      await callApi(app, '/me', tokens.access_token);
      return client;
    },
    rule: 'access_token_revoked',
    page: 'invalid_token',
    cause: 'The access token was revoked: the member’s sign-in with the application is over',
    fix: 'ask the member to sign in again',
    explained: 'It was <strong>revoked</strong>',
  },
  {
    name: 'access that the member paused, in the same words',
    make: async (world) => {
      const { app, alice } = world;
      const { client, tokens } = await signedIn(world);
      await pauseOwnConsent(byMember(alice, app.clock.read), app.portico.oauth, client.id);
      await callApi(app, '/me', tokens.access_token);
      return client;
    },
    rule: 'access_token_revoked',
    page: 'invalid_token',
    cause: 'The access token was revoked: the member’s sign-in with the application is over',
    fix: 'ask the member to sign in again',
    explained: 'the server doesn’t say which',
  },
  {
    name: 'revoking a token of another application',
    make: async (world) => {
      const { tokens } = await signedIn(world);
      const client = await server(world);
      await postForm(world.app, '/api/oauth/revoke', {
        client_id: client.id,
        client_secret: client.secret,
        token: tokens.access_token,
      });
      return client;
    },
    rule: 'token_not_own',
    page: '',
    cause: 'The token is not one of this application’s',
    fix: 'Revoke with the client_id that got the token',
    explained: '',
  },
];
