// The OpenAPI 3.1 document of the API, made from the schemas that validate and type it.

import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi';
import type { Scope } from '../../oauth/scope.ts';
import type { Site } from '../pages/visitor.ts';
import type { ApiProblemCode } from '../problem.ts';
import { API_ENDPOINTS, PATHS } from '../routes.ts';
import { type Rendered, rendered } from './answer.ts';
import { HEADERS, headersOf, problemResponse, securitySchemes } from './openapi-components.ts';
import { pageQuerySchema } from './page-query.ts';
import { postPageSchema, profileSchema, serviceInfoSchema } from './schemas.ts';

/** Below `PATHS.api`. */
export const OPENAPI_PATH = '/openapi.json';

interface Description {
  operationId: string;
  summary: string;
  schema: z.ZodType;
  query?: z.ZodObject;
}

const DESCRIPTIONS: Record<(typeof API_ENDPOINTS)[number]['path'], Description> = {
  '/me': { operationId: 'getProfile', summary: "The user's profile", schema: profileSchema },
  '/me/posts': {
    operationId: 'getPosts',
    summary: "The user's published posts, newest first",
    schema: postPageSchema,
    query: pageQuerySchema,
  },
};

const ROOT: Description = {
  operationId: 'getServiceInfo',
  summary: 'What the token may do; checks that it is valid',
  schema: serviceInfoSchema,
};

/** Tells the document. It is made when it is first asked for, and kept. */
export function apiDocument(site: Site): () => Rendered {
  let document: Rendered | undefined;
  return () => {
    document ??= rendered(describe(site));
    return document;
  };
}

function describe({ name, baseUrl }: Site) {
  const { openAPIRegistry: registry, getOpenAPI31Document } = new OpenAPIHono();
  for (const [scheme, definition] of Object.entries(securitySchemes(baseUrl))) {
    registry.registerComponent('securitySchemes', scheme, definition);
  }
  for (const [header, definition] of Object.entries(HEADERS)) {
    registry.registerComponent('headers', header, definition);
  }
  registry.registerPath(operation('/', undefined, ROOT, baseUrl));
  for (const { path, scope } of API_ENDPOINTS) {
    registry.registerPath(operation(path, scope, DESCRIPTIONS[path], baseUrl));
  }
  return getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: `${name} API`,
      version: 'v1',
      description:
        'Reads the profile and the published posts of the user who allowed it. Nothing can be changed.',
    },
    servers: [{ url: baseUrl + PATHS.api }],
    externalDocs: { url: baseUrl + PATHS.docs, description: 'Developer documentation' },
  });
}

function operation(
  path: string,
  scope: Scope | undefined,
  { operationId, summary, schema, query }: Description,
  baseUrl: string,
): RouteConfig {
  const refusals: ApiProblemCode[] = [
    ...(query === undefined ? [] : (['invalid_request'] as const)),
    'invalid_token',
    ...(scope === undefined ? [] : (['insufficient_scope'] as const)),
    'rate_limited',
    'server_error',
    'temporarily_unavailable',
  ];
  return {
    method: 'get',
    path,
    operationId,
    summary,
    description: scope === undefined ? 'Any valid token will do.' : `Requires the scope \`${scope}\`.`,
    security: [{ oauth2: scope === undefined ? [] : [scope] }, { bearer: [] }],
    request: { headers: conditional, ...(query && { query }) },
    responses: {
      200: {
        description: 'Success.',
        headers: headersOf('ETag', 'RateLimit', 'RateLimit-Policy'),
        content: { 'application/json': { schema } },
      },
      304: {
        description: 'What `If-None-Match` names is still what there is.',
        headers: headersOf('ETag', 'RateLimit', 'RateLimit-Policy'),
      },
      ...Object.assign({}, ...refusals.map((code) => problemResponse(code, baseUrl))),
    },
  };
}

const conditional = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .openapi({ description: 'Entity tags of bodies that are held already.' }),
});
