// `portico invitation`: links to sign up with.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInvitation } from '../../src/identity/invitation.ts';
import { DAY } from '../../src/lib/clock.ts';
import { cliIn } from './run-cli.ts';

test('An invitation is created, listed and revoked; its link is shown once', async (t) => {
  const cli = await cliIn(t, { BASE_URL: 'https://community.example', SIGN_UP: 'invitation' });
  const start = Date.now();

  const invitation = await cli.json(['invitation', 'create', '--note', 'for eve', '--days', '3']);
  const { link, expires, id } = invitation.document;
  const text = new URL(link).searchParams.get('invitation') ?? '';
  const { identity } = await cli.open();
  const open = await openInvitation(identity, text);
  const list = await cli.run(['invitation', 'list', '--json']);
  const revoked = await cli.json(['invitation', 'revoke', '--id', id]);
  const again = await cli.json(['invitation', 'revoke', '--id', id]);
  const after = await cli.json(['invitation', 'list']);

  assert.match(link, /^https:\/\/community\.example\/signup\?invitation=[0-9A-Za-z]{54}$/);
  assert.ok(Math.abs(Date.parse(expires) - start - 3 * DAY) < 60_000);
  assert.equal(open, id);
  assert.ok(!list.stdout.includes(text));
  const [item] = JSON.parse(list.stdout).invitations;
  assert.deepEqual([item.id, item.state, item.note, item.used_by], [id, 'unused', 'for eve', null]);
  assert.deepEqual([revoked.code, revoked.document], [0, { id, revoked: true }]);
  assert.deepEqual([again.code, again.document.error.code], [1, 'invitation_not_found']);
  assert.equal(after.document.invitations[0].state, 'revoked');
  const { events } = (await cli.json(['audit', 'list'])).document;
  assert.deepEqual(
    events.map(({ action, actor }: { action: string; actor: null }) => [action, actor]),
    [
      ['invitation.revoke', null],
      ['invitation.create', null],
    ],
  );
});

test('An impossible number of days is refused', async (t) => {
  const cli = await cliIn(t);

  const refused = await cli.json(['invitation', 'create', '--days', '0']);

  assert.deepEqual([refused.code, refused.document.error.code], [1, 'invitation_days']);
});
