// Mistakes in authorization requests.

import { byServer } from '../../src/audit/doer.ts';
import { deactivateClient } from '../../src/oauth/client-status.ts';
import { browserApp, type Mistake, request, server } from './mistake.ts';

export const AUTHORIZATION_MISTAKES: readonly Mistake[] = [
  {
    name: 'a callback that differs by one character',
    make: async (world) =>
      request(world, await server(world), { redirect_uri: 'https://notebook.example.com/callbak' }),
    rule: 'redirect_uri_unregistered',
    page: 'redirect_uri_unregistered',
    cause: 'The callback address is not registered for the application.',
    fix: 'Send one of the registered addresses',
    shows: [
      '<pre>https://notebook.example.com/callba<mark></mark>k</pre>',
      '<pre>https://notebook.example.com/callba<mark>c</mark>k</pre>',
      'They differ from character 36 on.',
    ],
    explained: 'compared character by character',
  },
  {
    name: 'http instead of https in the callback',
    make: async (world) =>
      request(world, await server(world), { redirect_uri: 'http://notebook.example.com/callback' }),
    rule: 'redirect_uri_unregistered',
    page: 'redirect_uri_unregistered',
    cause: 'The callback address is not registered for the application.',
    fix: 'Check the slash at the end, http and https',
    shows: ['<pre>http<mark></mark>://', '<pre>http<mark>s</mark>://'],
    explained: '<code>http</code> and <code>https</code>',
  },
  {
    name: 'a deactivated application',
    make: async (world) => {
      const client = await server(world);
      await deactivateClient(byServer(world.app.clock.read), world.app.portico.oauth, client.id);
      return request(world, client, {});
    },
    rule: 'application_deactivated',
    page: 'client_unknown',
    cause: 'The application is deactivated.',
    fix: 'Activate it under Your applications.',
    explained: 'deactivated the application',
  },
  {
    name: 'openid without a nonce',
    make: async (world) => request(world, await server(world), { scope: 'openid' }),
    rule: 'nonce_missing',
    page: 'invalid_request',
    cause: 'The scope openid was asked for, but the request has no nonce.',
    fix: 'Send a new random nonce with each request',
    explained: '<code>nonce</code>, which <code>openid</code> requires',
  },
  {
    name: 'a missing state',
    make: async (world) => request(world, await server(world), { state: '' }),
    rule: 'state_missing',
    page: 'invalid_request',
    cause: 'The request has no state.',
    fix: 'Send a new random state with each request',
    explained: '<code>state</code> or <code>response_type</code> is missing',
  },
  {
    name: 'a browser app without PKCE',
    make: async (world) => request(world, await browserApp(world), {}),
    rule: 'challenge_missing',
    page: 'invalid_request',
    cause: 'The request has no code_challenge, but this kind of application must use PKCE.',
    fix: 'Create a random code_verifier for each request',
    explained: 'PKCE is required for it',
  },
  {
    name: 'a typing error in a scope beside a good one',
    make: async (world) => request(world, await server(world), { scope: 'profile:read posts:reed' }),
    rule: 'scope_unknown',
    page: 'invalid_scope',
    cause: 'There is no scope of this name, so it was left out.',
    fix: 'Correct the spelling.',
    shows: ['<pre>posts:re<mark>e</mark>d</pre>', '<pre>posts:re<mark>a</mark>d</pre>'],
    explained: 'Unknown names next to known ones',
  },
  {
    name: 'the implicit flow',
    make: async (world) => request(world, await server(world), { response_type: 'token' }),
    rule: 'response_type_unsupported',
    page: 'unsupported_response_type',
    cause: 'This server only answers with a code.',
    fix: 'Send response_type=code.',
    shows: ['<pre>token</pre>', '<pre>code</pre>'],
    explained: 'the implicit flow',
  },
];
