// The OpenAPI document as a whole, and its endpoints outside the API, compared with their answers.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { API_PROBLEMS, STATUS_OF } from '../../../src/http/problem.ts';
import { PATHS } from '../../../src/http/routes.ts';
import { type App, openApp } from '../../support/app.ts';
import { browserOf, notebook, person } from '../../support/people.ts';
import { answerConsent, askToken, authorizationRequest } from '../../support/relying-party.ts';

interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
}
interface Response {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema; examples?: Record<string, unknown> }>;
  'x-errors'?: string[];
}
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; description: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
}
interface Document {
  tags: { name: string }[];
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, object>;
    securitySchemes: Record<string, object>;
  };
  paths: Record<string, { servers?: { url: string }[]; get?: Operation; post?: Operation }>;
}

let app: App;
let document: Document;
let tokens: Record<string, string>;

before(async () => {
  app = await openApp();
  await person(app.portico, 'alice');
  document = (await (await fetch(`${app.url}/api/open/v1/openapi.json`)).json()) as Document;
  const client = await notebook(app.portico);
  const request = authorizationRequest(client, { scope: 'openid profile:read', nonce: 'n' });
  const callback = await answerConsent(await browserOf(app, 'alice'), request);
  const code = callback.searchParams.get('code') ?? '';
  const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
  tokens = (await (await askToken(app, client, fields)).json()) as Record<string, string>;
});
after(() => app.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, { get, post }]) =>
    [get, post].filter((operation) => operation !== undefined).map((operation) => ({ path, operation })),
  );

test('It has every address that programs call', () => {
  const paths = Object.keys(document.paths).map((path) => document.paths[path]?.servers?.[0] && path);
  const others: string[] = [PATHS.consent, PATHS.logoutAnswer, PATHS.githubFindings, PATHS.probe, PATHS.docs];
  const expected = Object.values(PATHS).filter(
    (path) => path !== PATHS.api && path !== PATHS.mcp && !others.includes(path),
  );

  assert.deepEqual(paths.filter((path) => path !== undefined).toSorted(), expected.toSorted());
  for (const { servers } of Object.values(document.paths)) {
    if (servers !== undefined) assert.deepEqual(servers, [{ url: app.url }]);
  }
});

test('Each reference in it leads somewhere, and no two operations have the same name', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];

  assert.ok(references.length > 50);
  for (const [, kind, name] of references) {
    assert.ok(name !== undefined && name in document.components[kind as 'schemas'], `${kind} ${name}`);
  }
  const names = operations().map(({ operation }) => operation.operationId);
  assert.equal(new Set(names).size, names.length);
  for (const { operation } of operations()) {
    for (const scheme of operation.security.flatMap(Object.keys)) {
      assert.ok(scheme in document.components.securitySchemes, scheme);
    }
    assert.ok(document.tags.some(({ name }) => operation.tags.includes(name)));
  }
});

function undescribed(name: string, schema: Schema): string[] {
  if (schema.$ref !== undefined) return [];
  const isLeaf = schema.properties === undefined && schema.items?.properties === undefined;
  const isLink = schema.items?.$ref !== undefined;
  const own = schema.description !== undefined && (schema.example !== undefined || !isLeaf || isLink);
  const { properties = {} } = schema.items ?? schema;
  return [
    ...(own ? [] : [name]),
    ...Object.entries(properties).flatMap(([key, property]) => undescribed(`${name}.${key}`, property)),
  ];
}

test('Each field and each parameter has a description and an example', () => {
  const named = Object.entries(document.components.schemas);
  const forms = operations().flatMap(({ path, operation }) =>
    Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => [path, schema] as const),
  );
  const missing = [...named, ...forms].flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([key, property]) => undescribed(`${name}.${key}`, property)),
  );
  const parameters = operations().flatMap(({ operation }) =>
    (operation.parameters ?? []).filter(
      ({ description, schema }) => !description || schema.example === undefined,
    ),
  );

  assert.deepEqual([...missing, ...parameters], []);
});

test('Each error that has a page is named by an endpoint that can answer with it', () => {
  const named = new Set(
    operations().flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap((response) => [
        ...(response['x-errors'] ?? []),
        ...Object.values(response.content ?? {}).flatMap(({ examples = {} }) => Object.keys(examples)),
      ]),
    ),
  );
  const general = ['not_found', 'method_not_allowed'];

  assert.deepEqual(
    [...Object.keys(STATUS_OF), ...Object.keys(API_PROBLEMS)].filter((code) => !named.has(code)),
    general,
  );
});

/** Return the schema with everything that it refers to, which takes no other properties. */
function exact(schema: Schema): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  const closed = text.replaceAll(
    '"type":"object","properties"',
    '"type":"object","additionalProperties":false,"properties"',
  );
  return z.fromJSONSchema(JSON.parse(closed.replaceAll('#/components/schemas/', '#/$defs/')));
}

const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });

describe('The answer is as described, with no other fields:', () => {
  const requests: [name: string, path: string, status: number, options: () => RequestInit][] = [
    ['wrong token', PATHS.userinfo, 401, () => ({ headers: { Authorization: 'Bearer x' } })],
    ['no token', PATHS.userinfo, 401, () => ({})],
    ['claims', PATHS.userinfo, 200, () => ({ headers: { Authorization: `Bearer ${tokens.access_token}` } })],
    ['a form that lacks all', PATHS.token, 400, () => form({})],
    [
      'an unknown application',
      PATHS.token,
      401,
      () => form({ grant_type: 'refresh_token', client_id: 'app_x' }),
    ],
    [
      'an unknown application that revokes',
      PATHS.revoke,
      401,
      () => form({ token: 'x', client_id: 'app_x' }),
    ],
    ['settings', PATHS.openidConfiguration, 200, () => ({})],
    ['settings for OAuth', PATHS.authorizationServer, 200, () => ({})],
    ['the API’s settings', PATHS.protectedResource, 200, () => ({})],
    ['keys', PATHS.jwks, 200, () => ({})],
    ['a report of nothing', PATHS.revokeCredentials, 422, () => ({ method: 'POST', body: '{}' })],
    ['a report', PATHS.revokeCredentials, 202, () => ({ method: 'POST', body: '{"credentials":["x"]}' })],
    ['life', PATHS.alive, 200, () => ({})],
    ['readiness', PATHS.ready, 200, () => ({})],
  ];
  for (const [name, path, status, options] of requests) {
    test(`${name}, ${status} from ${path}`, async () => {
      const init = options();
      const answer = await fetch(app.url + path, init);

      assert.equal(answer.status, status);
      const described = document.paths[path]?.[init.method === 'POST' ? 'post' : 'get']?.responses[status];
      assert.ok(described);
      for (const header of Object.keys(described.headers ?? {}))
        assert.ok(answer.headers.has(header), header);
      const schema = described.content?.['application/json']?.schema;
      assert.ok(schema);
      exact(schema).parse(await answer.json());
    });
  }

  test('tokens', () => {
    exact({ $ref: '#/components/schemas/TokenResponse' }).parse(tokens);
    assert.ok('id_token' in tokens && 'refresh_token' in tokens);
  });
});
