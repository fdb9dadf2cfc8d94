// All modules of the OpenID Foundation's plans that concern this service, by plan. docs/conformance.md lists them.

import * as authentication from './authentication-modules.ts';
import * as basic from './basic-modules.ts';
import * as config from './config-modules.ts';
import * as fapi from './fapi-modules.ts';
import * as further from './further-modules.ts';
import * as logout from './logout-modules.ts';
import { random } from './module-run.ts';
import { type Module, notApplicable, notOffered, type Plan, runs } from './plan.ts';

// Sentences of the specification that rule a module out.
const SIGNED = 'The token response then also carries an `id_token` that can be verified offline. (§1)';
const BEARER = 'Always `Bearer`. (§2.1, on `token_type`)';
const NO_EMAIL =
  'The profile never contains: e-mail address, account status, two-step verification data or other site-internal private fields. (§2.2)';
const SCOPES =
  'Space-separated (URL-encoded) list of scopes: `profile:read`, `posts:read`; `openid` for sign-in tokens. (§4.1)';
const BY_SECRET =
  'Token endpoint client authentication uses `client_id` and `client_secret` in the form body. (§5.2)';

// Features that the specification does not ask for, and that the service does not have.
const PUSHED_AND_SIGNED = 'pushed authorization requests and request objects';
const NATIONAL = 'the national profiles (United Kingdom, Brazil, Australia)';

const REGISTERED = 'the client is registered by the operator, not by the suite';

const BASIC: readonly Module[] = [
  runs('oidcc-server', basic.server),
  runs('oidcc-response-type-missing', basic.responseTypeMissing),
  runs('oidcc-idtoken-signature', basic.idTokenSignature, { adapted: REGISTERED }),
  ...notApplicable(SIGNED, 'oidcc-idtoken-unsigned'),
  runs('oidcc-userinfo-get', basic.userinfoGet),
  runs('oidcc-userinfo-post-header', basic.userinfoPostHeader),
  runs('oidcc-userinfo-post-body', basic.userinfoPostBody),
  runs('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', basic.withoutNonce),
  ...notApplicable(SCOPES, 'oidcc-scope-profile'),
  ...notApplicable(NO_EMAIL, 'oidcc-scope-email'),
  ...notApplicable(SCOPES, 'oidcc-scope-address', 'oidcc-scope-phone'),
  ...notApplicable(NO_EMAIL, 'oidcc-scope-all'),
  runs('oidcc-alternate-happy-flow', basic.alternateHappyFlow, {
    adapted: 'with this service’s scopes in another order; the Foundation’s module needs `email`',
  }),
  runs('oidcc-display-page', basic.toleratesParameter('display', 'page')),
  runs('oidcc-display-popup', basic.toleratesParameter('display', 'popup')),
  runs('oidcc-prompt-login', authentication.promptLogin),
  runs('oidcc-prompt-none-not-logged-in', authentication.promptNoneNotLoggedIn),
  runs('oidcc-prompt-none-logged-in', authentication.promptNoneLoggedIn),
  runs('oidcc-max-age-1', authentication.maxAge1),
  runs('oidcc-max-age-10000', authentication.maxAge10000),
  runs('oidcc-ensure-request-with-unknown-parameter-succeeds', basic.toleratesParameter('extra', 'foobar')),
  runs('oidcc-id-token-hint', authentication.idTokenHint),
  runs('oidcc-login-hint', authentication.loginHint),
  runs('oidcc-ui-locales', basic.toleratesParameter('ui_locales', 'se')),
  runs('oidcc-claims-locales', basic.toleratesParameter('claims_locales', 'se')),
  runs('oidcc-ensure-request-with-acr-values-succeeds', basic.toleratesParameter('acr_values', '1 2')),
  runs('oidcc-codereuse', basic.codeReuse),
  runs('oidcc-codereuse-30seconds', basic.codeReuseAfter30Seconds),
  runs('oidcc-ensure-registered-redirect-uri', basic.registeredRedirectUri),
  runs('oidcc-ensure-post-request-succeeds', basic.postRequest),
  runs('oidcc-server-client-secret-post', basic.server, { variant: { clientAuth: 'client_secret_post' } }),
  runs('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported', basic.requestUri, {
    adapted: REGISTERED,
  }),
  runs('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', basic.requestObject),
  runs('oidcc-claims-essential', basic.claimsEssential, {
    adapted:
      'the Foundation’s module warns if userinfo lacks `name`; a member’s name belongs to `profile:read` (“Nickname, avatar, bio, membership status, level and experience points.”, §2.6), which the module does not request',
  }),
  runs('oidcc-ensure-request-object-with-redirect-uri', basic.requestObjectWithRedirectUri),
  runs('oidcc-refresh-token', basic.refreshToken),
  runs('oidcc-ensure-request-with-valid-pkce-succeeds', basic.validPkce),
];

const LOGOUT: readonly Module[] = [
  runs('oidcc-rp-initiated-logout-discovery-endpoint-verification', config.offersLogout),
  runs('oidcc-rp-initiated-logout', logout.logout),
  runs(
    'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri',
    logout.refuses((run, { tokens }) => ({
      ...logout.validRequest(run, tokens.id_token),
      post_logout_redirect_uri: `${run.client.postLogoutRedirectUri}/elsewhere`,
    })),
  ),
  runs(
    'oidcc-rp-initiated-logout-modified-id-token-hint',
    logout.refuses((run, flow) => logout.validRequest(run, logout.forged.unsigned(flow))),
  ),
  runs(
    'oidcc-rp-initiated-logout-no-id-token-hint',
    logout.refuses((run) => ({ post_logout_redirect_uri: run.client.postLogoutRedirectUri })),
  ),
  runs(
    'oidcc-rp-initiated-logout-no-params',
    logout.staysHere(() => ({}), ['logout', 'other']),
  ),
  runs(
    'oidcc-rp-initiated-logout-no-post-logout-redirect-uri',
    logout.staysHere(({ tokens }) => ({ id_token_hint: tokens.id_token, state: random(10) }), ['other']),
  ),
  runs('oidcc-rp-initiated-logout-no-state', logout.logoutWithoutState),
  runs(
    'oidcc-rp-initiated-logout-only-state',
    logout.staysHere(() => ({ state: random(10) }), ['logout', 'other']),
  ),
  runs(
    'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri',
    logout.refuses((run, { tokens }) => ({
      ...logout.validRequest(run, tokens.id_token),
      post_logout_redirect_uri: `${run.client.postLogoutRedirectUri}?foo=bar`,
    })),
  ),
  runs(
    'oidcc-rp-initiated-logout-bad-id-token-hint',
    logout.refuses(async (run, flow) => logout.validRequest(run, await logout.forged.bySuite(flow))),
  ),
];

const FURTHER: readonly Module[] = [
  runs('oidcc-redirect-uri-query-OK', further.redirectUriQueryOk),
  runs('oidcc-redirect-uri-query-mismatch', further.refusesQuery('?foo=bar', '?bar=foo')),
  runs('oidcc-redirect-uri-query-added', further.refusesQuery('', '?foo=bar')),
  runs('oidcc-redirect-uri-regfrag', further.redirectUriRegisteredWithFragment, { adapted: REGISTERED }),
  runs('oidcc-ensure-redirect-uri-in-authorization-request', further.redirectUriMissing),
  runs('oidcc-server-rotate-keys', further.serverRotateKeys),
];

const FAPI = 'fapi2-security-profile-final-';

function fapiRuns(
  name: string,
  run: (typeof fapi)['happyFlow'],
  adapted = 'without pushed requests and sender-constrained tokens',
): Module {
  return runs(FAPI + name, run, { adapted });
}

function fapi2(...names: string[]): string[] {
  return names.map((name) => FAPI + name);
}

const NO_VERIFIER = 'a missing verifier is `invalid_request` in the specification (§7.1)';

const FAPI2: readonly Module[] = [
  fapiRuns('discovery-end-point-verification', config.fapiDiscovery),
  fapiRuns('happy-flow', fapi.happyFlow),
  fapiRuns('user-rejects-authentication', fapi.userRejects),
  fapiRuns('ensure-authorization-request-without-state-success', fapi.succeedsWith({ state: '' })),
  fapiRuns('ensure-authorization-request-without-nonce-success', fapi.succeedsWith({ nonce: '' })),
  fapiRuns(
    'ensure-authorization-request-with-64-char-nonce-success',
    fapi.succeedsWith({ nonce: random(64) }),
  ),
  fapiRuns('ensure-other-scope-order-succeeds', fapi.otherScopeOrder),
  fapiRuns('test-claims-parameter-identity-claims', fapi.identityClaims),
  fapiRuns('access-token-type-header-case-sensitivity', fapi.headerCaseInsensitive),
  ...notApplicable(
    BEARER,
    ...fapi2(
      'check-dpop-proof-nbf-exp',
      'ensure-dpopproof-with-iat-10seconds-before-succeeds',
      'ensure-dpopproof-with-iat-10seconds-after-succeeds',
      'ensure-mismatched-dpop-jkt-fails',
      'ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt',
      'ensure-token-endpoint-fails-with-mismatched-dpop-jkt',
      'ensure-dpopproof-at-par-endpoint-binding-success',
      'ensure-dpop-auth-code-binding-success',
      'dpop-negative-tests',
      'ensure-holder-of-key-required',
    ),
  ),
  ...notOffered(
    PUSHED_AND_SIGNED,
    ...fapi2(
      'ensure-different-nonce-inside-and-outside-request-object',
      'ensure-different-state-inside-and-outside-request-object',
      'state-only-outside-request-object-not-used',
      'ensure-request-object-without-redirect-uri-fails',
      'ensure-unsigned-authorization-request-without-using-par-fails',
      'par-ensure-reused-request-uri-prior-to-auth-completion-succeeds',
      'par-attempt-reuse-request_uri',
      'par-attempt-to-use-expired-request_uri',
      'par-attempt-to-use-request_uri-for-different-client',
      'par-authorization-request-containing-request_uri-form-param',
      'par-attempt-invalid-http-method',
      'par-without-duplicate-parameters',
    ),
  ),
  fapiRuns('ensure-authorization-request-with-long-nonce', fapi.succeedsWith({ nonce: 'n'.repeat(384) })),
  fapiRuns('ensure-authorization-request-with-long-state', fapi.succeedsWith({ state: 's'.repeat(1000) })),
  fapiRuns('ensure-registered-redirect-uri', fapi.unregisteredRedirectUri),
  fapiRuns('plain-fapi-tolerate-unregistered-redirect-uri', fapi.unregisteredRedirectUri),
  fapiRuns('ensure-redirect-uri-in-authorization-request', further.redirectUriMissing),
  fapiRuns('ensure-response-type-code-idtoken-fails', fapi.refusesResponseType('code id_token')),
  fapiRuns('ensure-response-type-token-fails', fapi.refusesResponseType('token')),
  fapiRuns('ensure-client-id-in-token-endpoint', fapi.foreignClientId),
  fapiRuns('ensure-authorization-code-is-bound-to-client', fapi.codeBoundToClient),
  fapiRuns('attempt-reuse-authorization-code-after-one-second', fapi.codeReuseAfterOneSecond),
  fapiRuns(
    'ensure-token-endpoint-fails-with-expired-auth-code',
    fapi.expiredCode,
    'a code is valid for the 300 seconds of the specification, not 60',
  ),
  ...notApplicable(
    BY_SECRET,
    ...fapi2(
      'ensure-signed-client-assertion-with-RS256-fails',
      'ensure-client-assertion-in-token-endpoint',
      'ensure-client-assertion-with-exp-is-5-minutes-in-past-fails',
      'ensure-client-assertion-with-wrong-aud-fails',
      'ensure-client-assertion-with-no-sub-fails',
      'par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted',
      'par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails',
      'par-test-array-as-audience-fails',
      'par-test-par-endpoint-url-as-audience-fails',
      'par-test-token-endpoint-url-as-audience-fails',
    ),
  ),
  fapiRuns('refresh-token', fapi.refreshTokenBound),
  ...notOffered(
    NATIONAL,
    ...fapi2(
      'ensure-server-handles-non-matching-intent-id',
      'test-essential-acr-sca-claim',
      'brazil-ensure-bad-payment-signature-fails',
      'australia-connectid-ensure-invalid-purpose-fails',
      'australia-connectid-test-claims-parameter-idtoken-identity-claims',
    ),
  ),
  fapiRuns(
    'par-ensure-pkce-required',
    fapi.pkceRequired,
    'for a public client; the specification only advises PKCE for a confidential one',
  ),
  fapiRuns('ensure-pkce-code-verifier-required', fapi.refusesVerifier('', 'invalid_request'), NO_VERIFIER),
  fapiRuns('incorrect-pkce-code-verifier-rejected', fapi.refusesVerifier('b'.repeat(43))),
  fapiRuns('par-plain-pkce-rejected', fapi.plainPkceRejected),
];

export const BASIC_PLAN: Plan = { name: 'oidcc-basic-certification-test-plan', size: 38, modules: BASIC };
export const CONFIG_PLAN: Plan = {
  name: 'oidcc-config-certification-test-plan',
  size: 1,
  modules: [runs('oidcc-discovery-endpoint-verification', config.discoveryEndpointVerification)],
};
export const FORM_POST_PLAN: Plan = {
  name: 'oidcc-formpost-basic-certification-test-plan',
  size: 38,
  variant: { responseMode: 'form_post' },
  modules: BASIC,
};
export const LOGOUT_PLAN: Plan = {
  name: 'oidcc-rp-initiated-logout-certification-test-plan',
  size: 11,
  modules: LOGOUT,
};
export const FURTHER_MODULES: Plan = { name: 'oidcc-test-plan', size: 6, inPart: true, modules: FURTHER };
export const FAPI2_PLAN: Plan = {
  name: 'fapi2-security-profile-final-test-plan',
  size: 62,
  modules: FAPI2,
};

export const PLANS: readonly Plan[] = [
  BASIC_PLAN,
  CONFIG_PLAN,
  FORM_POST_PLAN,
  LOGOUT_PLAN,
  FURTHER_MODULES,
  FAPI2_PLAN,
];

/** Plans without a module that can run, with the sentence of the specification that rules them out. */
export const PLANS_NOT_APPLICABLE: readonly { names: readonly string[]; because: string }[] = [
  {
    names: [
      'oidcc-implicit-certification-test-plan',
      'oidcc-hybrid-certification-test-plan',
      'oidcc-formpost-implicit-certification-test-plan',
      'oidcc-formpost-hybrid-certification-test-plan',
    ],
    because: '`code` (§4.1, the only value of `response_type`)',
  },
];

/** Plans about features that the specification does not ask for, and that the service does not have. */
export const PLANS_NOT_OFFERED: readonly { names: readonly string[]; because: string }[] = [
  {
    names: ['oidcc-dynamic-certification-test-plan', 'oidcc-3rdparty-init-login-certification-test-plan'],
    because: 'dynamic registration of applications',
  },
  {
    names: [
      'oidcc-session-management-certification-test-plan',
      'oidcc-frontchannel-rp-initiated-logout-certification-test-plan',
      'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    ],
    because: 'telling applications through the browser, or by session, that a member signed out',
  },
];
