// Contract §7: the OpenAPI 3.1 document, compared with the responses that it describes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { type App, openApp } from '../../support/app.ts';
import { person, publish } from '../../support/people.ts';
import { ask, askWith, objectOf, tokenOf } from './callers.ts';

interface Media {
  schema: { $ref: string };
}
interface Operation {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  responses: Record<string, { description: string; headers?: object; content?: Record<string, Media> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, { get: Operation }>;
  components: { securitySchemes: Record<string, object>; schemas: Record<string, Record<string, unknown>> };
}

let app: App;
let token: string;
let document: Document;

before(async () => {
  app = await openApp();
  const alice = await person(app.portico, 'alice');
  await publish(app.portico, alice, 'A post');
  token = await tokenOf(app, alice);
  document = (await objectOf(await askWith(app, '/openapi.json', {}))) as unknown as Document;
});
after(() => app.close());

function operation(path: string): Operation {
  const operation = document.paths[path]?.get;
  assert.ok(operation, path);
  return operation;
}

/** Return the named schema with everything that it refers to. */
function schemaOf(reference: string): z.ZodType {
  const text = JSON.stringify({ $ref: reference, $defs: document.components.schemas });
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
}

test('The document is OpenAPI 3.1 and has the address of the service', () => {
  assert.match(document.openapi, /^3\.1\./);
  assert.deepEqual(document.info.title, 'Portico API');
  assert.deepEqual(document.info.version, 'v1');
  assert.deepEqual(document.servers, [{ url: `${app.url}/api/open/v1` }]);
});

test('It describes the endpoints of the specification with the scopes that they require, and no others', () => {
  const schemes = Object.entries(document.paths)
    .filter(([, { get }]) => get?.tags.includes('API'))
    .map(([path, { get }]) => [path, get.security]);

  assert.deepEqual(schemes, [
    ['/', [{ oauth2: [] }, { bearer: [] }]],
    ['/me', [{ oauth2: ['profile:read'] }, { bearer: [] }]],
    ['/me/posts', [{ oauth2: ['posts:read'] }, { bearer: [] }]],
  ]);
});

test('It describes both ways to get a token', () => {
  const { oauth2, bearer } = document.components.securitySchemes;

  assert.partialDeepStrictEqual(bearer, { type: 'http', scheme: 'bearer' });
  assert.partialDeepStrictEqual(oauth2, {
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: `${app.url}/oauth/authorize`,
        tokenUrl: `${app.url}/api/oauth/token`,
        refreshUrl: `${app.url}/api/oauth/token`,
        scopes: {
          'profile:read': 'Nickname, avatar, bio, membership status, level and experience points.',
          'posts:read': 'The list of them: title, excerpt, link and interaction counts.',
        },
      },
    },
  });
});

test('It describes the parameters with their defaults', () => {
  const parameters = operation('/me/posts').parameters.filter((parameter) => parameter.in === 'query');

  assert.deepEqual(
    parameters.map(({ name, required, schema }) => [name, required, schema.type, schema.default]),
    [
      ['page', false, 'integer', 0],
      ['size', false, 'integer', 20],
    ],
  );
});

const statuses: [path: string, statuses: string[]][] = [
  ['/', ['200', '304', '401', '429', '500', '503']],
  ['/me', ['200', '304', '401', '403', '429', '500', '503']],
  ['/me/posts', ['200', '304', '400', '401', '403', '429', '500', '503']],
];
for (const [path, expected] of statuses) {
  test(`It describes every status of GET ${path}`, () => {
    assert.deepEqual(Object.keys(operation(path).responses), expected);
  });

  test(`The response of GET ${path} is as described`, async () => {
    const body = await objectOf(await ask(app, path, token));

    const schema = operation(path).responses['200']?.content?.['application/json']?.schema;
    assert.ok(schema);
    assert.deepEqual(schemaOf(schema.$ref).parse(body), body);
    const properties = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']?.properties;
    assert.deepEqual(Object.keys(body).sort(), Object.keys(properties as object).sort());
  });
}

test('The errors are as described, with the headers that it lists', async () => {
  const other = await person(app.portico, 'bob');
  const profileOnly = await tokenOf(app, other, ['profile:read']);
  const etag = (await ask(app, '/me/posts', token)).headers.get('etag') ?? '';
  const answers = [
    await ask(app, '/me/posts', token, { 'If-None-Match': etag }),
    await ask(app, '/me/posts?page=x', token),
    await ask(app, '/me/posts', 'x'),
    await ask(app, '/me/posts', profileOnly),
  ];
  await Promise.all(Array.from({ length: 60 }, () => ask(app, '/', token)));
  answers.push(await ask(app, '/me/posts', token));

  assert.deepEqual(
    answers.map(({ status }) => status),
    [304, 400, 401, 403, 429],
  );
  for (const answer of answers) {
    const description = operation('/me/posts').responses[answer.status];
    for (const name of Object.keys(description?.headers ?? {})) {
      assert.ok(answer.headers.has(name), `${answer.status} ${name}`);
    }
    const media = description?.content?.['application/problem+json'];
    if (media === undefined) continue;
    schemaOf(media.schema.$ref).parse(await answer.json());
  }
});

test('It can be cached by its ETag', async () => {
  const etag = (await askWith(app, '/openapi.json', {})).headers.get('etag') ?? '';

  const answer = await askWith(app, '/openapi.json', { 'If-None-Match': etag });

  assert.equal(answer.status, 304);
});
