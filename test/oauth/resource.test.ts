// RFC 8707: which resources a request may name.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OAuthError } from '../../src/oauth/errors.ts';
import { Form } from '../../src/oauth/form.ts';
import { checkResource } from '../../src/oauth/resource.ts';

const ISSUER = 'https://community.example';

function check(resource: string): void {
  checkResource(new Form([['resource', resource]]), ISSUER);
}

describe('The service, its API and its endpoint for assistants can be named:', () => {
  for (const path of ['', '/', '/api/open/v1', '/api/open/v1/', '/mcp', '/mcp/']) {
    test(ISSUER + path, () => check(ISSUER + path));
  }

  test('and a request without a resource is for the whole service', () => {
    checkResource(new Form([]), ISSUER);
    check('');
  });
});

describe('Any other resource is invalid_target:', () => {
  for (const resource of [
    'https://community.example.evil',
    'https://other.example/mcp',
    'http://community.example/mcp',
    'https://community.example/mcp#part',
    'https://community.example/mcp/other',
    'mcp',
  ]) {
    test(resource, () => {
      assert.throws(
        () => check(resource),
        (error) => error instanceof OAuthError && error.code === 'invalid_target',
      );
    });
  }
});
