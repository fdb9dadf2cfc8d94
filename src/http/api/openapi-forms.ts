// The parameters of the sign-in's endpoints in the OpenAPI document.

import { objectOf, text } from './openapi-oauth-schemas.ts';
import type { Parameter } from './openapi-operations.ts';

const CALLBACK = 'https://notebook.example/callback';

export const AUTHORIZATION_PARAMETERS: readonly Parameter[] = [
  {
    name: 'response_type',
    description: 'Always `code`.',
    example: 'code',
    values: ['code'],
    isRequired: true,
  },
  { name: 'client_id', description: 'The id of your application.', example: 'app_…', isRequired: true },
  {
    name: 'redirect_uri',
    description: 'One of your callback addresses, character by character.',
    example: CALLBACK,
    isRequired: true,
  },
  {
    name: 'scope',
    description: 'What you ask for, separated by spaces. Unknown scopes are ignored beside a known one.',
    example: 'openid profile:read',
    isRequired: true,
  },
  {
    name: 'state',
    description: 'A random text that you keep in the browser’s session. It comes back unchanged.',
    example: 'af0ifjsldkj',
    isRequired: true,
  },
  {
    name: 'nonce',
    description:
      'A random text that comes back in the `id_token`. Required with the scope `openid`. At most 1,024 characters.',
    example: 'n-0S6_WzA2Mj',
  },
  {
    name: 'code_challenge',
    description:
      'The SHA-256 digest of the verifier (PKCE), 43 characters of base64url. Required without a secret.',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  },
  {
    name: 'code_challenge_method',
    description: 'Required with `code_challenge`.',
    example: 'S256',
    values: ['S256'],
  },
  {
    name: 'response_mode',
    description: 'How the callback gets the answer. `query` by default.',
    example: 'query',
    values: ['query', 'form_post'],
  },
  {
    name: 'prompt',
    description:
      '`none`: no page. `login`: sign in again. `consent`: ask again. `select_account`: choose the account.',
    example: 'login',
  },
  {
    name: 'max_age',
    type: 'integer',
    description: 'Seconds. A member whose sign-in is older signs in again.',
    example: 600,
  },
  { name: 'login_hint', description: 'The username that the sign-in form starts with.', example: 'alice' },
  { name: 'id_token_hint', description: 'An `id_token` of the member that you expect.', example: 'eyJ…' },
  {
    name: 'ui_locales',
    description: 'The languages of the pages, the preferred one first.',
    example: 'zh-Hans en',
  },
  { name: 'display', description: 'Accepted; there is only one form of the pages.', example: 'page' },
  {
    name: 'resource',
    description: 'What the token is for (RFC 8707): this server’s API. Another one is refused.',
    example: 'https://community.example/api/open/v1',
  },
];

export const LOGOUT_PARAMETERS: readonly Parameter[] = [
  {
    name: 'id_token_hint',
    description: 'The last `id_token` that you got. It may have expired.',
    example: 'eyJ…',
  },
  {
    name: 'post_logout_redirect_uri',
    description: 'Where to return to. It must be registered, and is compared character by character.',
    example: 'https://notebook.example/bye',
  },
  {
    name: 'client_id',
    description: 'The id of your application, if you have no `id_token`.',
    example: 'app_…',
  },
  { name: 'state', description: 'A text that comes back unchanged.', example: 'af0ifjsldkj' },
];

const CREDENTIALS = {
  client_id: text('The id of your application. Can be left out with HTTP Basic.', 'app_…'),
  client_secret: text('The secret of a server app, unless it uses HTTP Basic.', 'svcs_…'),
};

export const TOKEN_FORM = objectOf(
  {
    grant_type: text('What you exchange.', 'authorization_code', {
      enum: ['authorization_code', 'refresh_token'],
    }),
    ...CREDENTIALS,
    code: text('The code from the callback. It is valid for 5 minutes and works once.', 'svcc_…'),
    redirect_uri: text('With a code: the same as in the authorization request.', CALLBACK),
    code_verifier: text(
      'With a code: the verifier of PKCE, if the request had a challenge.',
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    ),
    refresh_token: text('The newest refresh token. It works once.', 'svcr_…'),
    scope: text('With a refresh token: fewer scopes than before.', 'profile:read'),
    resource: text(
      'What the token is for (RFC 8707), as in the request.',
      'https://community.example/api/open/v1',
    ),
  },
  [
    'client_id',
    'client_secret',
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'scope',
    'resource',
  ],
);

export const REVOCATION_FORM = objectOf(
  {
    token: text('An access token or a refresh token.', 'svcr_…'),
    token_type_hint: text(
      '`access_token` or `refresh_token`. The server finds out by itself.',
      'refresh_token',
    ),
    ...CREDENTIALS,
  },
  ['token_type_hint', 'client_id', 'client_secret'],
);
