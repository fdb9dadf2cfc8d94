// What libraries, monitors and finders of tokens use, in the OpenAPI document. None of it needs a token.

import { PATHS } from '../routes.ts';
import { objectOf } from './openapi-oauth-schemas.ts';
import { atRoot, json, type Operation, refusals, UNAVAILABLE } from './openapi-operations.ts';

/** Describe them, by path. */
export function informationPaths(baseUrl: string) {
  const at = (operations: Parameters<typeof atRoot>[1]) => atRoot(baseUrl, operations);
  return {
    '/openapi.json': { get: information('getDescription', 'This description, as OpenAPI 3.1') },
    [PATHS.openidConfiguration]: at({
      get: information('getConfiguration', 'The settings for libraries', 'ServerMetadata'),
    }),
    [PATHS.authorizationServer]: at({
      get: information(
        'getServerMetadata',
        'The same settings, where OAuth libraries look',
        'ServerMetadata',
      ),
    }),
    [PATHS.protectedResource]: at({
      get: information('getResourceMetadata', 'Where the API gets its tokens from', 'ResourceMetadata'),
    }),
    [PATHS.jwks]: at({ get: information('getKeys', 'The public keys that verify an id_token', 'KeySet') }),
    [PATHS.revokeCredentials]: at({ post: REVOKE_CREDENTIALS }),
    [PATHS.alive]: at({ get: monitored('isAlive', 'Whether the server runs', {}) }),
    [PATHS.ready]: at({ get: monitored('isReady', 'Whether the database answers too', NOT_READY) }),
  };
}

const TAG = { tags: ['Information'], security: [] };

function information(operationId: string, summary: string, schema?: string): Operation {
  return {
    ...TAG,
    operationId,
    summary,
    description: 'Pages of any origin can read it.',
    responses: { 200: json('The answer.', schema, 'Cache-Control') },
  };
}

const NOT_READY = { 503: json('The database can’t be reached.', 'Health', 'Retry-After') };

function monitored(operationId: string, summary: string, failures: Operation['responses']): Operation {
  return { ...TAG, operationId, summary, responses: { 200: json('Yes.', 'Health'), ...failures } };
}

const FOUND = objectOf({
  credentials: {
    type: 'array',
    description: 'What was found: 1 to 1,000 tokens, codes or secrets.',
    items: { type: 'string' },
    example: ['svcp_…'],
  } as { example?: readonly string[] },
});

const REVOKE_CREDENTIALS: Operation = {
  ...TAG,
  operationId: 'revokeCredentials',
  summary: 'Have tokens revoked that you found in public',
  description: '30 requests an hour from one address. The answer doesn’t say whether one of them was valid.',
  requestBody: { required: true, content: { 'application/json': { schema: FOUND } } },
  responses: {
    202: json('An empty object.', undefined, 'Cache-Control'),
    ...refusals(422, 'invalid_request'),
    ...refusals(429, 'rate_limited'),
    ...UNAVAILABLE,
  },
};
