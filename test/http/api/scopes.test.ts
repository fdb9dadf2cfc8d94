// Spec §2.6 and §7.2, RFC 6750: what a token can read, by its scope.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, openApp } from '../../support/app.ts';
import { notebook, type Person, person } from '../../support/people.ts';
import { signInWith } from '../../support/relying-party.ts';
import { ask, challengeOf, challengeWithoutError, objectOf, tokenOf } from './callers.ts';

let app: App;
let alice: Person;

before(async () => {
  app = await openApp({ RATE_LIMIT_PER_MINUTE: '1000' });
  alice = await person(app.portico, 'alice');
});
after(() => app.close());

const scopes = [
  ['/me', 'posts:read', 'profile:read'],
  ['/me/posts', 'profile:read', 'posts:read'],
] as const;
for (const [path, held, required] of scopes) {
  test(`The token lacks the scope the endpoint requires: 403 at ${path}`, async () => {
    const answer = await ask(app, path, await tokenOf(app, alice, [held]));

    const reason = `The token lacks the scope ${required}; it has ${held}.`;
    assert.equal(
      challengeOf(answer),
      `${challengeWithoutError(app)}, error="insufficient_scope", error_description="${reason}", scope="${required}"`,
    );
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.deepEqual(await objectOf(answer, 403), {
      type: `${app.url}/docs/errors/insufficient_scope`,
      title: 'The access token lacks a scope',
      status: 403,
      detail: reason,
    });
  });

  test(`The scope ${required} alone is enough for ${path}`, async () => {
    const answer = await ask(app, path, await tokenOf(app, alice, [required]));

    assert.equal(answer.status, 200);
  });

  test(`An access token is limited to its scope, like a personal token, at ${path}`, async () => {
    const { access_token } = await signInWith(app, await notebook(app.portico), 'alice', held);

    assert.equal((await ask(app, path, access_token)).status, 403);
  });
}

test('The scope is checked before the parameters', async () => {
  const answer = await ask(app, '/me/posts?page=x', await tokenOf(app, alice, ['profile:read']));

  assert.equal(answer.status, 403);
});
