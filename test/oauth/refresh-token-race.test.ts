// Rotating a refresh token twice: the loser of a race is forgiven (spec §3.3).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DAY, SECOND } from '../../src/lib/clock.ts';
import {
  assertDead,
  assertLives,
  openProvider,
  type Provider,
  refresh,
  refused,
  signIn,
} from './provider.ts';

let provider: Provider;
beforeEach(async () => {
  provider = await openProvider();
});
afterEach(() => provider.close());

describe('the loser of a race is forgiven, and gets no tokens', () => {
  for (const seconds of [0, 5, 10]) {
    test(`a confidential application, ${seconds} seconds after the rotation: invalid_grant, and the family lives`, async () => {
      const first = await signIn(provider, provider.notebook, provider.alice);
      const second = await refresh(provider, provider.notebook, first.refreshToken);
      provider.pass(seconds * SECOND);

      await refused(
        refresh(provider, provider.notebook, first.refreshToken),
        'invalid_grant',
        /already used/,
      );
      await refused(
        refresh(provider, provider.notebook, first.refreshToken),
        'invalid_grant',
        /already used/,
      );

      await assertLives(provider, second);
    });
  }

  test('just after 10 seconds the family dies', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);
    const second = await refresh(provider, provider.notebook, first.refreshToken);
    provider.pass(10 * SECOND + 1);

    await refused(refresh(provider, provider.notebook, first.refreshToken), 'invalid_grant', /already used/);

    await assertDead(provider, second);
  });

  test('the ten seconds start again with each rotation, but not with each attempt', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);
    provider.pass(20 * DAY);
    const second = await refresh(provider, provider.notebook, first.refreshToken);
    provider.pass(8 * SECOND);
    await refused(refresh(provider, provider.notebook, first.refreshToken), 'invalid_grant');
    provider.pass(8 * SECOND);

    await refused(refresh(provider, provider.notebook, first.refreshToken), 'invalid_grant');

    await assertDead(provider, second);
  });

  test('after a second rotation the first token ends the family', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);
    const second = await refresh(provider, provider.notebook, first.refreshToken);
    const third = await refresh(provider, provider.notebook, second.refreshToken);
    await refused(refresh(provider, provider.notebook, second.refreshToken), 'invalid_grant');
    const fourth = await assertLives(provider, third);

    await refused(refresh(provider, provider.notebook, second.refreshToken), 'invalid_grant');

    await assertDead(provider, fourth);
  });

  test('a public application is not forgiven: anyone can send its id', async () => {
    const first = await signIn(provider, provider.pocket, provider.alice);
    const second = await refresh(provider, provider.pocket, first.refreshToken);

    await refused(refresh(provider, provider.pocket, first.refreshToken), 'invalid_grant', /already used/);

    await assertDead(provider, second, provider.pocket);
  });

  test('at the same time, from a confidential application: one yields tokens, and they are valid', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);

    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => refresh(provider, provider.notebook, first.refreshToken)),
    );

    const tokens = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value);
    assert.equal(tokens.length, 1);
    for (const issued of tokens) await assertLives(provider, issued);
  });

  test('at the same time, from a public application: at most one yields tokens, and they are revoked', async () => {
    const first = await signIn(provider, provider.pocket, provider.alice);

    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => refresh(provider, provider.pocket, first.refreshToken)),
    );

    const tokens = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value);
    assert.equal(tokens.length, 1);
    for (const issued of tokens) await assertDead(provider, issued, provider.pocket);
  });
});
