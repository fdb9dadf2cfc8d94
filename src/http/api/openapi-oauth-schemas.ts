// The answers of the sign-in and of the information for libraries, as the OpenAPI document describes them. A test
// compares them with the answers.

const HOST = 'https://community.example';

type Example = string | number | boolean | readonly unknown[];

/** Describe a text. */
export function text(description: string, example: string, more: object = {}) {
  return { type: 'string', description, example, ...more };
}

function integer(description: string, example: number) {
  return { type: 'integer', description, example };
}

function boolean(description: string, example: boolean) {
  return { type: 'boolean', description, example };
}

function texts(description: string, example: readonly string[]) {
  return { type: 'array', items: { type: 'string' }, description, example };
}

/** Describe an object. All properties are required but the `optional` ones. */
export function objectOf(
  properties: Record<string, { example?: Example }>,
  optional: readonly string[] = [],
) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

const ADDRESS = { format: 'uri' };

/** The schemas by their names. */
export const OAUTH_SCHEMAS = {
  TokenResponse: objectOf(
    {
      access_token: text('For the `Authorization` header. Treat it as opaque.', 'svco_…'),
      token_type: text('Always `Bearer`.', 'Bearer'),
      expires_in: integer('Seconds for which the access token is valid.', 3600),
      refresh_token: text(
        'Gets the next tokens. It works once. Absent if the member allowed one sign-in only.',
        'svcr_…',
      ),
      scope: text('What the member allowed, separated by spaces.', 'openid profile:read'),
      id_token: text('Who signed in, as a signed JWT. Present with the scope `openid`.', 'eyJ…'),
    },
    ['refresh_token', 'id_token'],
  ),
  OAuthError: objectOf(
    {
      error: text('The code of the error.', 'invalid_grant'),
      error_description: text('The cause in this request, for the developer.', 'The code has expired.'),
      error_uri: text(
        'The address of a page that explains this error. Absent when the server itself failed.',
        `${HOST}/docs/errors/invalid_grant`,
        ADDRESS,
      ),
    },
    ['error_uri'],
  ),
  Userinfo: objectOf(
    {
      sub: text('The member’s number, as a string. It never changes and is never reused.', '7'),
      preferred_username: text('Username. Present with the scope `profile:read`.', 'alice'),
      picture: text(
        'Address of the avatar. Present with the scope `profile:read`.',
        `${HOST}/avatars/7.svg`,
        ADDRESS,
      ),
      profile: text(
        'The public profile page. Present with the scope `profile:read`.',
        `${HOST}/u/alice`,
        ADDRESS,
      ),
    },
    ['preferred_username', 'picture', 'profile'],
  ),
  ServerMetadata: objectOf(
    {
      issuer: text('The name of this server in `iss`.', HOST, ADDRESS),
      authorization_endpoint: text('Where to send members.', `${HOST}/oauth/authorize`, ADDRESS),
      token_endpoint: text('Where to get tokens.', `${HOST}/api/oauth/token`, ADDRESS),
      revocation_endpoint: text('Where to revoke tokens.', `${HOST}/api/oauth/revoke`, ADDRESS),
      userinfo_endpoint: text('Where to read who the member is.', `${HOST}/api/oauth/userinfo`, ADDRESS),
      end_session_endpoint: text('Where to sign members out.', `${HOST}/oauth/logout`, ADDRESS),
      jwks_uri: text('The public keys.', `${HOST}/.well-known/jwks.json`, ADDRESS),
      scopes_supported: texts('The scopes.', ['openid', 'profile:read', 'posts:read']),
      response_types_supported: texts('Values of `response_type`.', ['code']),
      response_modes_supported: texts('Values of `response_mode`.', ['query', 'form_post']),
      grant_types_supported: texts('Values of `grant_type`.', ['authorization_code', 'refresh_token']),
      token_endpoint_auth_methods_supported: texts('How applications prove who they are.', [
        'client_secret_basic',
      ]),
      revocation_endpoint_auth_methods_supported: texts('The same at the revocation endpoint.', [
        'client_secret_basic',
      ]),
      subject_types_supported: texts('`sub` is the same for all applications.', ['public']),
      id_token_signing_alg_values_supported: texts('How an `id_token` can be signed.', ['RS256', 'ES256']),
      claim_types_supported: texts('The kinds of claims.', ['normal']),
      claims_supported: texts('The claims of the `id_token` and of userinfo.', ['iss', 'sub']),
      code_challenge_methods_supported: texts('Values of `code_challenge_method`.', ['S256']),
      prompt_values_supported: texts('Values of `prompt`.', ['none', 'login']),
      display_values_supported: texts('Values of `display`.', ['page']),
      ui_locales_supported: texts('The languages of the pages.', ['en', 'zh-Hans']),
      backchannel_logout_supported: boolean('Whether logout tokens are sent.', true),
      backchannel_logout_session_supported: boolean('Whether they have `sid`.', false),
      claims_parameter_supported: boolean('Whether the parameter `claims` is read.', false),
      request_parameter_supported: boolean('Whether the parameter `request` is accepted.', false),
      request_uri_parameter_supported: boolean('Whether the parameter `request_uri` is accepted.', false),
      require_request_uri_registration: boolean('Whether such addresses are registered.', false),
      authorization_response_iss_parameter_supported: boolean('Whether each callback has `iss`.', true),
      client_id_metadata_document_supported: boolean(
        'Whether `client_id` can be the address of a document. Absent if not.',
        true,
      ),
      service_documentation: text('This documentation.', `${HOST}/docs`, ADDRESS),
    },
    ['client_id_metadata_document_supported'],
  ),
  ResourceMetadata: objectOf({
    resource: text('The address of the API.', `${HOST}/api/open/v1`, ADDRESS),
    authorization_servers: texts('Where its tokens come from.', [HOST]),
    scopes_supported: texts('The scopes of the API.', ['profile:read', 'posts:read']),
    bearer_methods_supported: texts('Where a request can have the token.', ['header']),
    resource_documentation: text('This documentation.', `${HOST}/docs`, ADDRESS),
  }),
  KeySet: objectOf({
    keys: {
      type: 'array',
      description:
        'The public keys (RFC 7517): the next one, the present one, and those of tokens still valid.',
      items: objectOf(
        {
          kid: text('The name of the key, as in the header of a token.', 'k7Jd4xYFqoJ'),
          kty: text('The kind of key.', 'RSA'),
          alg: text('What it signs with.', 'RS256'),
          use: text('Always `sig`.', 'sig'),
          n: text('The modulus of an RSA key.', 'xjlC…'),
          e: text('The exponent of an RSA key.', 'AQAB'),
          crv: text('The curve of an EC key.', 'P-256'),
          x: text('The x coordinate of an EC key.', 'f83O…'),
          y: text('The y coordinate of an EC key.', 'x_FE…'),
        },
        ['n', 'e', 'crv', 'x', 'y'],
      ),
    } as { example?: Example },
  }),
  Health: objectOf({ status: text('`alive`, `ready` or `database unreachable`.', 'ready') }),
};
