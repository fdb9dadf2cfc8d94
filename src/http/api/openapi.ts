// The OpenAPI 3.1 document of the API, made from the same schemas as the types of its answers.

import { z } from 'zod';
import type { Scope } from '../../oauth/scope.ts';
import { SCHEMAS } from '../api-schemas.ts';
import { PAGE_PARAMETERS } from '../page-query.ts';
import type { ApiProblemCode } from '../problem.ts';
import { API_ENDPOINTS, PATHS } from '../routes.ts';
import { type Rendered, render } from './answer.ts';
import { HEADERS, headersOf, problemResponses, schemaRef, securitySchemes } from './openapi-components.ts';
import { informationPaths } from './openapi-information.ts';
import { OAUTH_SCHEMAS } from './openapi-oauth-schemas.ts';
import { signInPaths } from './openapi-sign-in.ts';

interface Description {
  operationId: string;
  summary: string;
  answer: keyof typeof SCHEMAS;
  parameters?: typeof PAGE_PARAMETERS;
}

const DESCRIPTIONS: Record<(typeof API_ENDPOINTS)[number]['path'], Description> = {
  '/me': { operationId: 'getProfile', summary: "The user's profile", answer: 'Profile' },
  '/me/posts': {
    operationId: 'getPosts',
    summary: "The user's published posts, newest first",
    answer: 'PostPage',
    parameters: PAGE_PARAMETERS,
  },
};

const ROOT: Description = {
  operationId: 'getServiceInfo',
  summary: 'The scopes of the token; also checks that it is valid',
  answer: 'ServiceInfo',
};

const TAGS = [
  { name: 'API', description: 'Reads what a member allowed.' },
  { name: 'Sign-in', description: 'OAuth 2.0 and OpenID Connect.' },
  { name: 'Information', description: 'What libraries and monitors read. It needs no token.' },
];

/** Make the document. */
export function apiDocument(name: string, baseUrl: string): Rendered {
  const endpoints = API_ENDPOINTS.map(({ path, scope }) => [
    path,
    { get: operation(scope, DESCRIPTIONS[path], baseUrl) },
  ]);
  return render({
    openapi: '3.1.0',
    info: {
      title: `${name} API`,
      version: 'v1',
      description:
        'Signing members in, and read-only access to the profile and published posts of the user who allowed it.',
    },
    servers: [{ url: baseUrl + PATHS.api }],
    externalDocs: { url: baseUrl + PATHS.docs, description: 'Developer documentation' },
    components: {
      securitySchemes: securitySchemes(baseUrl),
      headers: HEADERS,
      schemas: { ...jsonSchemas(), ...OAUTH_SCHEMAS },
    },
    tags: TAGS,
    paths: {
      '/': { get: operation(undefined, ROOT, baseUrl) },
      ...Object.fromEntries(endpoints),
      ...signInPaths(baseUrl),
      ...informationPaths(baseUrl),
    },
  });
}

function jsonSchemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  // With io 'input', the schemas allow properties that they don't list: answers may gain fields.
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: schemaRef, override: shorten });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]));
}

// Keywords that follow from the schemas' TypeScript types and tell a caller nothing.
function shorten({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  delete jsonSchema.readOnly;
}

function operation(
  scope: Scope | undefined,
  { operationId, summary, answer, parameters }: Description,
  baseUrl: string,
) {
  const refusals: ApiProblemCode[] = [
    'missing_token',
    'invalid_token',
    'rate_limited',
    'server_error',
    'temporarily_unavailable',
  ];
  if (parameters !== undefined) refusals.push('invalid_request');
  if (scope !== undefined) refusals.push('insufficient_scope');
  return {
    operationId,
    summary,
    tags: ['API'],
    description: scope === undefined ? 'Works with any valid token.' : `Requires the scope \`${scope}\`.`,
    security: [{ oauth2: scope === undefined ? [] : [scope] }, { bearer: [] }],
    parameters: [...(parameters ?? []), IF_NONE_MATCH],
    responses: {
      200: {
        description: 'Success.',
        headers: headersOf('ETag', 'RateLimit', 'RateLimit-Policy', 'X-Token-Expires-At'),
        content: { 'application/json': { schema: { $ref: schemaRef(answer) } } },
      },
      304: {
        description: 'The body that `If-None-Match` names is still current.',
        headers: headersOf('ETag', 'RateLimit', 'RateLimit-Policy'),
      },
      ...problemResponses(refusals, baseUrl),
    },
  };
}

const ENTITY_TAGS = 'Entity tags of bodies that the caller already has.';

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: ENTITY_TAGS,
  schema: { type: 'string', description: ENTITY_TAGS, example: '"Jd4xYFqoJ0ZG2m7lzCqu6g"' },
};
