// How many pictures a member may upload in an hour. test/http/site/pictures.test.ts has the rest.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import { setAvatar } from '../../src/identity/avatar.ts';
import { addMember } from '../support/seeding.ts';
import { openAccounts } from './accounts.ts';

const TEXT = Buffer.from('not a picture');
/** A file that begins like a picture, so it waits for its turn. */
const BROKEN_PICTURE = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');

test('A member may upload ten pictures an hour, not counting those that a busy server refuses', async (t) => {
  const accounts = await openAccounts(t);
  const { identity } = accounts;
  const alice = await addMember(accounts, 'alice');
  const others = [];
  for (let count = 0; count < 12; count += 1) others.push(await addMember(accounts, `other${count}`));
  const upload = async (id: number, file: Buffer) =>
    (await setAvatar(byMember({ id }, identity.clock), identity, file))?.problem;
  const queue = others.map((id) => upload(id, BROKEN_PICTURE));
  const refused = await upload(alice, BROKEN_PICTURE);
  await Promise.all(queue);

  const counted = [];
  for (let times = 0; times < 11; times += 1) counted.push(await upload(alice, TEXT));

  assert.equal(refused, 'busy');
  assert.deepEqual(counted, [...Array(10).fill('not_a_picture'), 'too_often']);
});
