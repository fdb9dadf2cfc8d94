// Members prove their identity again before they allow an application.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../../src/lib/clock.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import { needsProof } from '../../src/oauth/step-up.ts';
import type { Grant } from '../../src/oauth/store.ts';

const NOW = Date.UTC(2026, 10, 23, 12);

const GRANT: Grant = {
  userId: 1,
  clientId: 'app_1',
  scopes: ['profile:read'],
  grantedAt: NOW,
  consentedAt: NOW,
  allowedAs: 'Notebook',
  lastAuthorizedAt: NOW,
  duration: 'until_removed',
  endsAt: undefined,
  pausedAt: undefined,
  withdrawnAt: undefined,
};

function needsProofAfter(
  age: number,
  grant: Grant | undefined,
  kind: Client['kind'] = 'confidential',
): boolean {
  const member = { kind: 'member', userId: 1, sessionKey: undefined, authenticatedAt: NOW - age } as const;
  return needsProof({ ...member, at: NOW, provenAt: NOW - age }, { kind }, grant);
}

test('a proof is enough for twelve hours for an application that the member allows', () => {
  assert.equal(needsProofAfter(12 * HOUR, GRANT), false);
  assert.equal(needsProofAfter(12 * HOUR + 1, GRANT), true);
});

for (const [title, grant] of [
  ['is new', undefined],
  ['the member paused', { ...GRANT, pausedAt: NOW }],
  ['the member allowed for one sign-in', { ...GRANT, duration: 'once' }],
] satisfies [string, Grant | undefined][]) {
  test(`a proof is enough for ten minutes for an application that ${title}`, () => {
    assert.equal(needsProofAfter(10 * MINUTE, grant), false);
    assert.equal(needsProofAfter(10 * MINUTE + 1, grant), true);
  });
}

test('a proof is enough for ten minutes for a public application, which anyone can pose as', () => {
  assert.equal(needsProofAfter(10 * MINUTE, GRANT, 'public'), false);
  assert.equal(needsProofAfter(10 * MINUTE + 1, GRANT, 'public'), true);
});
