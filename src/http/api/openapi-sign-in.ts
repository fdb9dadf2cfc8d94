// The endpoints of OAuth 2.0 and OpenID Connect in the OpenAPI document.

import { PATHS } from '../routes.ts';
import { AUTHORIZATION_PARAMETERS, LOGOUT_PARAMETERS, REVOCATION_FORM, TOKEN_FORM } from './openapi-forms.ts';
import { objectOf, text } from './openapi-oauth-schemas.ts';
import {
  asForm,
  asQuery,
  atRoot,
  formBody,
  json,
  type Operation,
  pageOf,
  refusals,
  UNAVAILABLE,
} from './openapi-operations.ts';

/** Describe them, by path. */
export function signInPaths(baseUrl: string) {
  return {
    [PATHS.authorize]: atRoot(baseUrl, {
      get: { ...AUTHORIZE, operationId: 'authorize', parameters: asQuery(AUTHORIZATION_PARAMETERS) },
      post: {
        ...AUTHORIZE,
        operationId: 'authorizeByPost',
        requestBody: formBody(asForm(AUTHORIZATION_PARAMETERS)),
      },
    }),
    [PATHS.token]: atRoot(baseUrl, { post: TOKEN }),
    [PATHS.revoke]: atRoot(baseUrl, { post: REVOKE }),
    [PATHS.userinfo]: atRoot(baseUrl, {
      get: { ...USERINFO, operationId: 'getUserinfo' },
      post: { ...USERINFO, operationId: 'getUserinfoByPost', requestBody: formBody(USERINFO_FORM, false) },
    }),
    [PATHS.logout]: atRoot(baseUrl, {
      get: { ...LOGOUT, operationId: 'signOut', parameters: asQuery(LOGOUT_PARAMETERS) },
      post: { ...LOGOUT, operationId: 'signOutByPost', requestBody: formBody(asForm(LOGOUT_PARAMETERS)) },
    }),
  };
}

const TAG = { tags: ['Sign-in'] };

const AUTHORIZE: Omit<Operation, 'operationId'> = {
  ...TAG,
  summary: 'Send the member here to sign in and to allow access',
  description:
    'A page for the member’s browser, not an address to call from a program. An unknown parameter is ignored. An error of the request comes back to the callback address, once the member has signed in.',
  security: [],
  responses: {
    200: pageOf('A page: the sign-in or the question to the member.'),
    303: {
      description:
        'To the callback address, with `code`, `state` and `iss`, or with `error`, `error_description`, `state` and `iss`; or to the sign-in page.',
      'x-errors': [
        'access_denied',
        'invalid_request',
        'invalid_scope',
        'invalid_target',
        'unsupported_response_type',
        'login_required',
        'consent_required',
        'request_not_supported',
        'request_uri_not_supported',
        'registration_not_supported',
        'temporarily_unavailable',
      ],
    },
    400: {
      ...pageOf('A page: nothing is known of where to return to.'),
      'x-errors': ['client_missing', 'client_unknown', 'redirect_uri_missing', 'redirect_uri_unregistered'],
    },
  },
};

const CLIENT_SECURITY = [{ client: [] }, {}];

const TOKEN: Operation = {
  ...TAG,
  operationId: 'getTokens',
  summary: 'Exchange a code or a refresh token for tokens',
  description:
    'A server app proves who it is by HTTP Basic or by `client_secret`, not by both. A failed request uses up no code and no refresh token, except one that is used for the second time.',
  security: CLIENT_SECURITY,
  requestBody: formBody(TOKEN_FORM),
  responses: {
    200: json('The tokens.', 'TokenResponse', 'Cache-Control'),
    ...refusals(
      400,
      'invalid_request',
      'invalid_grant',
      'invalid_scope',
      'invalid_target',
      'unsupported_grant_type',
    ),
    ...refusals(401, 'invalid_client'),
    ...refusals(429, ['temporarily_unavailable', 'rate_limited']),
    ...UNAVAILABLE,
  },
};

const REVOKE: Operation = {
  ...TAG,
  operationId: 'revokeToken',
  summary: 'Revoke a token',
  description:
    'A refresh token ends the whole sign-in, an access token only itself. Succeeds for a token that is unknown or not yours, too, and changes nothing then.',
  security: CLIENT_SECURITY,
  requestBody: formBody(REVOCATION_FORM),
  responses: {
    200: json('An empty object.', undefined, 'Cache-Control'),
    ...refusals(400, 'invalid_request'),
    ...refusals(401, 'invalid_client'),
    ...refusals(429, ['temporarily_unavailable', 'rate_limited']),
    ...UNAVAILABLE,
  },
};

const USERINFO: Omit<Operation, 'operationId'> = {
  ...TAG,
  summary: 'Who the member is',
  description: 'Requires the scope `openid`. It has no limit of its own. API tokens don’t work here.',
  security: [{ oauth2: ['openid'] }],
  responses: {
    200: json('The claims.', 'Userinfo', 'Cache-Control'),
    ...refusals(400, 'invalid_request'),
    ...refusals(401, 'missing_token', 'invalid_token'),
    ...refusals(403, 'insufficient_scope'),
    ...UNAVAILABLE,
  },
};

const USERINFO_FORM = objectOf(
  { access_token: text('The access token, if the header has none.', 'svco_…') },
  ['access_token'],
);

const LOGOUT: Omit<Operation, 'operationId'> = {
  ...TAG,
  summary: 'Send the member here to sign out of the community',
  description:
    'A page for the member’s browser. The member is asked first, unless `id_token_hint` is of the browser’s present sign-in.',
  security: [],
  responses: {
    200: pageOf('A page: the question, or that the member is signed out.'),
    303: { description: 'To `post_logout_redirect_uri`, with `state`.' },
    400: { ...pageOf('A page: the request is wrong. Nothing was changed.'), 'x-errors': ['invalid_request'] },
  },
};
