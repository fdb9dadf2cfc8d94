// The mails about moderation: to authors, to suspended members, and about new reports.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byModerating, byServer } from '../../../src/audit/doer.ts';
import { removeContent, restoreContent } from '../../../src/community/moderation.ts';
import { keepReported } from '../../../src/community/report.ts';
import { setAccountStatus } from '../../../src/identity/account-status.ts';
import { setRole } from '../../../src/identity/role.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { person, publish } from '../../support/people.ts';
import { openMailFixture, text } from './mail-fixture.ts';

const fixture = await openMailFixture({ after });
const { app, server, memberWithAddress } = fixture;
const { portico } = app;

async function idOf(username: string): Promise<number> {
  return (await portico.identity.reads.findUserByName(username))?.id ?? 0;
}

async function sent(): Promise<string[]> {
  while ((await portico.sendMails()) > 0);
  return server.mails.splice(0).map(({ to, subject, text }) => `${to}: ${subject}\n${text}`);
}

test('An author is mailed the reason in their own language, and what was restored', async () => {
  const browser = await memberWithAddress('bob');
  const olivia = await person(portico, 'olivia');
  const author = { id: await idOf('bob'), username: 'bob' };
  const post = await publish(portico, author, 'Cheap pills');
  const subject = { postId: post, commentId: undefined };
  const by = () => byModerating({ id: olivia.id, isOperator: true }, app.clock.read);
  const remove = () => removeContent(by(), portico.community, subject, 'No advertising.');

  await remove();
  const english = await sent();
  await restoreContent(by(), portico.community, subject);
  app.clock.advance(HOUR);
  const restored = await sent();
  app.clock.advance(HOUR);
  await browser.submit(await browser.read('/'), '/language', { language: 'zh' });
  await remove();
  const chinese = await sent();

  assert.match(
    english.join(),
    /bob@home\.example: Your post on Agora was removed[\s\S]*“Cheap pills”[\s\S]*No advertising\./,
  );
  assert.ok(!english.join().includes('olivia'));
  assert.match(restored.join(), /The removal of your post on Agora was undone/);
  assert.match(chinese.join(), /您在 Agora 的文章已被移除[\s\S]*说明的原因：\n\nNo advertising\./);
});

test('However often texts of a member are removed and restored, the member is mailed once an hour', async () => {
  await memberWithAddress('carl');
  const olivia = await idOf('olivia');
  const post = await publish(portico, { id: await idOf('carl'), username: 'carl' }, 'Hello');
  const subject = { postId: post, commentId: undefined };
  const by = () => byModerating({ id: olivia, isOperator: true }, app.clock.read);
  const mails: string[][] = [];
  for (let minutes = 0; minutes < 3 * 60; minutes += 10) {
    await removeContent(by(), portico.community, subject, `Reason ${minutes}.`);
    await restoreContent(by(), portico.community, subject);
    app.clock.advance(10 * MINUTE);
    mails.push(await sent());
  }

  assert.deepEqual(
    mails.map(({ length }) => length),
    [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
  );
  assert.match(mails.flat().join(), /at most one of these emails an hour[\s\S]*\/notifications/);
});

test('A suspended member is mailed the reason', async () => {
  await memberWithAddress('eve');
  const by = byServer(portico.clock);

  await setAccountStatus(by, portico.identity, { id: await idOf('eve') }, 'suspended', 'Advertising.');

  assert.match((await sent()).join(), /Your account on Agora was suspended[\s\S]*Advertising\./);
});

test('Operators and moderators are mailed about new reports, once an hour, unless all are decided', async () => {
  await memberWithAddress('mona');
  await portico.identity.writes.setRole(byServer(portico.clock), await idOf('mona'), 'moderator');
  await sent();
  const alice = await memberWithAddress('alice');
  const posts: number[] = [];
  for (const title of ['One', 'Two', 'Three', 'Four']) {
    posts.push(await publish(portico, { id: await idOf('mona'), username: 'mona' }, title));
  }
  const report = async (index: number) => {
    const page = await text(alice.open(`/report?post=${posts[index]}`));
    await alice.submit(page, '/report', { reason: 'spam' });
  };
  const by = byModerating({ id: await idOf('olivia'), isOperator: true }, app.clock.read);
  const keep = (index: number) =>
    keepReported(by, portico.community, { postId: posts[index] ?? 0, commentId: undefined });

  await report(0);
  const first = await sent();
  await report(1);
  await report(2);
  app.clock.advance(59 * MINUTE);
  const early = await sent();
  app.clock.advance(MINUTE);
  const second = await sent();
  await report(3);
  for (const index of [0, 1, 2, 3]) await keep(index);
  app.clock.advance(HOUR);
  const decided = await sent();

  assert.match(first.join(), /mona@home\.example: 1 open report on Agora[\s\S]*\/operator\/reports/);
  assert.deepEqual([first.length, early, decided], [1, [], []]);
  assert.match(second.join(), /3 open reports on Agora/);
});

test('A member is mailed about a new role, but not if it stays the same', async () => {
  await memberWithAddress('rita');
  const by = byServer(portico.clock);

  await setRole(by, portico.identity, await idOf('rita'), 'moderator');
  await setRole(by, portico.identity, await idOf('rita'), 'moderator');

  const mails = await sent();
  assert.equal(mails.length, 1);
  assert.match(
    mails.join(),
    /rita@home\.example: Your role on Agora was changed[\s\S]*rita on Agora is now a moderator’s/,
  );
});
