// Rotating a refresh token twice: the loser of a race gets no tokens, but may keep its sign-in (spec §3.3).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DAY, SECOND } from '../../src/lib/clock.ts';
import { assertRefused } from './provider.ts';
import {
  assertDead,
  assertLives,
  closeFixture,
  openFixture,
  provider,
  refresh,
  signIn,
} from './token-fixture.ts';

beforeEach(openFixture);
afterEach(closeFixture);

describe('the loser of a race gets no tokens, but may keep its sign-in', () => {
  for (const seconds of [0, 5, 10]) {
    test(`a confidential application, ${seconds} seconds after the rotation: invalid_grant, and the sign-in goes on`, async () => {
      const first = await signIn();
      const second = await refresh(first.refreshToken);
      provider.advance(seconds * SECOND);

      await assertRefused(refresh(first.refreshToken), 'invalid_grant', /already used/);
      await assertRefused(refresh(first.refreshToken), 'invalid_grant', /already used/);

      await assertLives(second);
    });
  }

  test('just after 10 seconds the sign-in ends', async () => {
    const first = await signIn();
    const second = await refresh(first.refreshToken);
    provider.advance(10 * SECOND + 1);

    await assertRefused(refresh(first.refreshToken), 'invalid_grant', /already used/);

    await assertDead(second);
  });

  test('the ten seconds start again with each rotation, but not with each attempt', async () => {
    const first = await signIn();
    provider.advance(20 * DAY);
    const second = await refresh(first.refreshToken);
    provider.advance(8 * SECOND);
    await assertRefused(refresh(first.refreshToken), 'invalid_grant');
    provider.advance(8 * SECOND);

    await assertRefused(refresh(first.refreshToken), 'invalid_grant');

    await assertDead(second);
  });

  test('a token that was forgiven once ends the sign-in after another rotation', async () => {
    const first = await signIn();
    const second = await refresh(first.refreshToken);
    const third = await refresh(second.refreshToken);
    await assertRefused(refresh(second.refreshToken), 'invalid_grant');
    const fourth = await assertLives(third);

    await assertRefused(refresh(second.refreshToken), 'invalid_grant');

    await assertDead(fourth);
  });

  test('a public application is not forgiven: anyone can send its id', async () => {
    const first = await signIn(provider.pocket);
    const second = await refresh(first.refreshToken, provider.pocket);

    await assertRefused(refresh(first.refreshToken, provider.pocket), 'invalid_grant', /already used/);

    await assertDead(second, provider.pocket);
  });

  test('at the same time, from a confidential application: one yields tokens, and they are valid', async () => {
    const first = await signIn();

    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => refresh(first.refreshToken)));

    const tokens = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value);
    assert.equal(tokens.length, 1);
    for (const issued of tokens) await assertLives(issued);
  });

  test('at the same time, from a public application: at most one yields tokens, and they are revoked', async () => {
    const first = await signIn(provider.pocket);

    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => refresh(first.refreshToken, provider.pocket)),
    );

    const tokens = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value);
    assert.equal(tokens.length, 1);
    for (const issued of tokens) await assertDead(issued, provider.pocket);
  });
});
