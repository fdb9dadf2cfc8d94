// Mails that the mail server refuses, as operators see them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { Browser } from '../../support/browser.ts';
import { member, PASSWORD } from '../../support/people.ts';
import { openMailFixture, text } from './mail-fixture.ts';

const ends: (() => unknown)[] = [];
const { app, server, memberWithAddress, askForReset } = await openMailFixture({
  after: (end) => void ends.push(end),
});
after(async () => {
  for (const end of ends.reverse()) await end();
});
const { portico } = app;
const { browser: operator } = await member(app, 'olivia', { isOperator: true });
const PATH = '/operator/mails';

/** Send what is due while the mail server refuses every recipient. */
async function sendRefused(refusal: string): Promise<void> {
  server.refusal = refusal;
  await portico.sendMails();
  server.refusal = undefined;
}

test('An operator sees that a member’s mail was refused and why, and sends it again', async () => {
  await memberWithAddress('alice');
  await askForReset('alice');
  await sendRefused('550 5.7.1 Not from here');
  // The fixture moves the clock, and her acts need a recent proof.
  await operator.signIn('olivia', PASSWORD);

  const page = await operator.read(PATH);
  const answer = await operator.submit(page, `${PATH}/again`);
  const told = await operator.read(answer.headers.get('location') ?? '');
  const waiting = await portico.sendMails();

  assert.match(page, />alice<\/a>[\s\S]*a…@home\.example[\s\S]*Set a new password/);
  assert.match(
    page,
    /Given up[\s\S]*1 attempt: cannot send through .*refused the sender or the recipient \(550\)/,
  );
  assert.ok(!page.includes('alice@home.example'));
  assert.match(told, /The server is sending the mail now/);
  assert.equal(waiting, 1);
  assert.deepEqual(
    server.mails.map(({ to }) => to[0]),
    ['alice@home.example'],
  );
  assert.match(await operator.read(PATH), /No mail is waiting/);
  const [event] = await portico.audit.reads.auditEvents({ limit: 1 });
  assert.deepEqual(
    [event?.actorName, event?.action, event?.detail],
    ['olivia', 'mail.send_again', { mail: 'reset' }],
  );
});

test('A mail whose next attempt is only minutes off, or that is gone, has no button and is left alone', async () => {
  await memberWithAddress('bob');
  await askForReset('bob');
  await sendRefused('451 4.3.0 Try later');
  await operator.signIn('olivia', PASSWORD);
  const [mail] = await portico.identity.reads.unsentMails(Number.MAX_SAFE_INTEGER, 1);
  const page = await operator.read(PATH);
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const send = (id: number) =>
    operator.post(`${PATH}/again`, new URLSearchParams({ form_token, mail: String(id) }));

  const answers = [await send(mail?.id ?? 0), await send(99_999)];

  assert.match(page, /Next attempt[\s\S]*in 1 minute[\s\S]*1 attempt: /);
  assert.ok(!page.includes(`action="${PATH}/again"`));
  for (const answer of answers) assert.equal(answer.headers.get('location'), `${PATH}?done=gone`);
  app.clock.advance(MINUTE);
  assert.equal(await portico.sendMails(), 1);
});

test('A link that would have expired is not sent again', async () => {
  const carol = await memberWithAddress('carol');
  await carol.submit(await carol.read('/settings/security'), '/settings/security/email', {
    email: '',
    email_password: PASSWORD,
    do: 'remove',
  });
  await sendRefused('550 5.7.1 Not from here');
  app.clock.advance(73 * 60 * MINUTE);
  const operatorNow = new Browser(app.url);
  await operatorNow.signIn('olivia', PASSWORD);

  await operatorNow.submit(await operatorNow.read(PATH), `${PATH}/again`);
  while ((await portico.sendMails()) > 0);

  assert.deepEqual(server.mails, []);
  assert.match(await text(operatorNow.open(PATH)), /No mail is waiting/);
});
