// Tokens that members create for themselves (spec §5.1, contract §8).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { DAY } from '../../src/lib/clock.ts';
import { authenticateBearer } from '../../src/oauth/bearer-token.ts';
import {
  createPersonalToken,
  DEFAULT_PERSONAL_TOKEN_DAYS,
  isLive,
  type PersonalTokenProblem,
  type PersonalTokenRequest,
  revokeOwnPersonalToken,
} from '../../src/oauth/personal-token.ts';
import type { PersonalToken } from '../../src/oauth/personal-token-store.ts';
import { asMember, isHonoured, NEW_YEAR, openProvider, type Provider } from './provider.ts';

let provider: Provider;
before(async () => {
  provider = await openProvider();
});
after(() => provider.close());

function create(changes: Partial<PersonalTokenRequest> = {}) {
  return createPersonalToken(byServer(provider.server.clock), provider.server, {
    userId: provider.alice.userId,
    name: 'backup script',
    scopes: ['posts:read'],
    days: 90,
    ...changes,
  });
}

async function newToken(changes: Partial<PersonalTokenRequest> = {}): Promise<{ id: number; text: string }> {
  const answer = await create(changes);
  assert('text' in answer);
  return answer;
}

describe('createPersonalToken', () => {
  test('creates a token that is shown once and stored as a digest, with its last characters', async () => {
    const { id, text } = await newToken({ name: '  backup script ' });

    const [record] = await provider.server.reads.personalTokensOf(provider.alice.userId);
    assert.match(text, /^svcp_[A-Za-z0-9]{60}$/);
    assert.equal(record?.id, id);
    assert.equal(record?.name, 'backup script');
    assert.equal(record?.ending, text.slice(-4));
    assert.deepEqual(record?.scopes, ['posts:read']);
    assert.equal(record?.createdAt, NEW_YEAR);
    assert.equal(record?.expiresAt, NEW_YEAR + 90 * DAY);
    assert.equal(JSON.stringify(record).includes(text), false);
  });

  test('the token gives access to its member’s data, within its scopes', async () => {
    const { text } = await newToken();

    const principal = await authenticateBearer(provider.server, text);

    assert.equal(principal.user.id, provider.alice.userId);
    assert.deepEqual(principal.scopes, ['posts:read']);
  });

  test('the default lifetime is 90 days', () => {
    assert.equal(DEFAULT_PERSONAL_TOKEN_DAYS, 90);
  });

  const ACCEPTED: [name: string, changes: Partial<PersonalTokenRequest>][] = [
    ['a name of one character', { name: 'x' }],
    ['a name of 60 characters', { name: '\u{1f4d3}'.repeat(60) }],
    ['an emoji of several characters', { name: '\u{1f469}\u200d\u{1f4bb}' }],
    ['1 day', { days: 1 }],
    ['7 days', { days: 7 }],
    ['365 days', { days: 365 }],
    ['3650 days', { days: 3650 }],
    ['no end', { days: undefined }],
    ['both scopes', { scopes: ['profile:read', 'posts:read'] }],
  ];

  for (const [name, changes] of ACCEPTED) {
    test(`accepted: ${name}`, async () => {
      assert('text' in (await create(changes)));
    });
  }

  const REFUSED: [name: string, changes: Partial<PersonalTokenRequest>, problem: PersonalTokenProblem][] = [
    ['no name', { name: '' }, 'name'],
    ['a name of spaces', { name: '  ' }, 'name'],
    ['a name of 61 characters', { name: 'x'.repeat(61) }, 'name'],
    ['a name with NUL', { name: 'a\0b' }, 'name'],
    ['a name with a newline', { name: 'a\nb' }, 'name'],
    ['a name with a line separator', { name: 'a\u2028b' }, 'name'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['a scope that no personal token has', { scopes: ['posts:read', 'openid' as 'posts:read'] }, 'scopes'],
    ['0 days', { days: 0 }, 'days'],
    ['a negative number of days', { days: -1 }, 'days'],
    ['half a day', { days: 0.5 }, 'days'],
    ['3651 days', { days: 3651 }, 'days'],
    ['not a number of days', { days: Number.NaN }, 'days'],
    ['endless days', { days: Number.POSITIVE_INFINITY }, 'days'],
  ];

  for (const [name, changes, problem] of REFUSED) {
    test(`refused, and nothing stored: ${name}`, async () => {
      const userId = provider.mallory.userId;

      assert.deepEqual(await create({ userId, ...changes }), { problem });

      assert.deepEqual(await provider.server.reads.personalTokensOf(userId), []);
    });
  }

  test('a member has at most 50, of which revoked and expired ones do not count', async () => {
    const bob = { userId: provider.bob.userId };
    const first = await newToken({ ...bob, days: 1 });
    const second = await newToken(bob);
    for (let count = 2; count < 50; count += 1) await newToken(bob);

    assert.deepEqual(await create(bob), { problem: 'too_many' });
    assert.equal((await provider.server.reads.personalTokensOf(provider.bob.userId)).length, 50);

    await revokeOwnPersonalToken(asMember(provider, provider.bob), provider.server, second.id);
    await newToken(bob);
    assert.deepEqual(await create(bob), { problem: 'too_many' });

    provider.setClock(NEW_YEAR + 1 * DAY);
    assert.equal(await isHonoured(provider, first.text), false);
    await newToken(bob);
    assert.deepEqual(await create(bob), { problem: 'too_many' });
    provider.setClock(NEW_YEAR);
  });

  test('of requests at the same time no more than 50 succeed', async () => {
    const mallory = { userId: provider.mallory.userId };

    const answers = await Promise.all(Array.from({ length: 60 }, () => create(mallory)));

    assert.equal(answers.filter((answer) => 'text' in answer).length, 50);
  });
});

describe('the life of a personal token', () => {
  test('it is valid until it expires', async () => {
    const { text } = await newToken({ days: 7 });

    provider.setClock(NEW_YEAR + 7 * DAY - 1);
    assert.equal(await isHonoured(provider, text), true);
    provider.setClock(NEW_YEAR + 7 * DAY);
    assert.equal(await isHonoured(provider, text), false);
    provider.setClock(NEW_YEAR);
  });

  test('without an end it is valid ten years later', async () => {
    const { text } = await newToken({ days: undefined });

    provider.setClock(NEW_YEAR + 3653 * DAY);
    assert.equal(await isHonoured(provider, text), true);
    provider.setClock(NEW_YEAR);
  });

  test('its member revokes it, and it stays invalid', async () => {
    const { id, text } = await newToken();

    assert.equal(await revokeOwnPersonalToken(asMember(provider, provider.alice), provider.server, id), true);

    assert.equal(await isHonoured(provider, text), false);
    assert.equal(
      await revokeOwnPersonalToken(asMember(provider, provider.alice), provider.server, id),
      false,
    );
  });

  test('another member cannot revoke it', async () => {
    const { id, text } = await newToken();

    assert.equal(
      await revokeOwnPersonalToken(asMember(provider, provider.mallory), provider.server, id),
      false,
    );

    assert.equal(await isHonoured(provider, text), true);
  });
});

describe('isLive', () => {
  const TOKEN = { revokedAt: undefined, expiresAt: NEW_YEAR } as PersonalToken;
  const CASES: [name: string, token: PersonalToken, now: number, expected: boolean][] = [
    ['before it expires', TOKEN, NEW_YEAR - 1, true],
    ['at the moment it expires', TOKEN, NEW_YEAR, false],
    ['after it expired', TOKEN, NEW_YEAR + 1, false],
    ['without an end', { ...TOKEN, expiresAt: undefined }, NEW_YEAR + 1, true],
    ['revoked', { ...TOKEN, revokedAt: NEW_YEAR - 2 }, NEW_YEAR - 1, false],
    ['revoked, without an end', { ...TOKEN, expiresAt: undefined, revokedAt: 0 }, NEW_YEAR, false],
  ];

  for (const [name, token, now, expected] of CASES) {
    test(`${name}: ${expected ? 'yes' : 'no'}`, () => {
      assert.equal(isLive(token, now), expected);
    });
  }
});
