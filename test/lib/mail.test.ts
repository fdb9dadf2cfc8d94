// Sending mail to a server, or writing it into a folder.

import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderMailer, smtpMailer, Undelivered } from '../../src/lib/mail.ts';
import { temporaryFolder } from '../support/databases.ts';
import { freePort } from '../support/services.ts';
import { mailOf, startSmtpServer } from '../support/smtp-server.ts';

const FROM = { name: 'The “Portico”', address: 'no-reply@community.example' };
const LETTER = {
  to: 'alice@home.example',
  subject: '请确认 your address',
  text: 'Hello 爱丽丝,\n\n.a line\n',
  senderName: 'Agora',
};

test('A mail arrives whole, with its sender and a header against automatic replies', async (t) => {
  const server = await startSmtpServer(t);

  await smtpMailer(server.url, FROM)(LETTER);

  const [mail] = server.mails;
  assert.deepEqual(mail?.to, ['alice@home.example']);
  assert.equal(mail?.subject, LETTER.subject);
  assert.equal(mail?.text.trimEnd(), LETTER.text.trimEnd());
  assert.match(mail?.source ?? '', /^Auto-Submitted: auto-generated\r$/m);
  assert.match(mail?.source ?? '', /<no-reply@community\.example>/);
});

test('The user and password in the URL are decoded for the server', async (t) => {
  const server = await startSmtpServer(t);

  await smtpMailer(server.url.replace('//', '//us%40er:p%3Ass@'), FROM)(LETTER);

  assert.deepEqual(server.credentials, ['us@er', 'p:ss']);
});

// Only Linux has more than one loopback address by default.
const skip = process.platform === 'linux' ? false : 'not on Linux';
test('A password is never sent unencrypted to another machine', { skip }, async (t) => {
  const server = await startSmtpServer(t, '127.0.0.2');

  await assert.rejects(smtpMailer(server.url.replace('//', '//user:secret@'), FROM)(LETTER), Undelivered);

  assert.deepEqual(server.credentials, []);
});

test('An address with a comma in it is one recipient, not two', async (t) => {
  const server = await startSmtpServer(t);

  await smtpMailer(server.url, FROM)({ ...LETTER, to: 'mallory,bob@home.example' });

  assert.deepEqual(
    server.mails.flatMap(({ to }) => to).filter((to) => to === 'bob@home.example'),
    [],
  );
});

const refusals: [answer: string, permanent: boolean][] = [
  ['550 no such mailbox', true],
  ['450 come back later', false],
];
for (const [answer, permanent] of refusals) {
  test(`"${answer}" is a ${permanent ? 'permanent' : 'temporary'} failure, whose message quotes neither the mail nor the server’s text`, async (t) => {
    const server = await startSmtpServer(t);
    server.refusal = answer;

    const failure = await smtpMailer(server.url, FROM)(LETTER).catch((error) => error);

    assert.ok(failure instanceof Undelivered);
    assert.equal(failure.permanent, permanent);
    assert.match(failure.message, new RegExp(answer.slice(0, 3)));
    assert.doesNotMatch(failure.message, /alice|later|mailbox/);
  });
}

test('A server that can’t be reached is a temporary failure', async () => {
  const failure = await smtpMailer(
    `smtp://user:secret@127.0.0.1:${await freePort()}`,
    FROM,
  )(LETTER).catch((error) => error);

  assert.ok(failure instanceof Undelivered);
  assert.equal(failure.permanent, false);
  assert.doesNotMatch(failure.message, /secret/);
});

test('The folder gets a file for each mail, readable by its owner alone', async (t) => {
  const folder = join(await temporaryFolder(t), 'outbox');
  const reported: string[] = [];
  const mailer = folderMailer(folder, FROM, (file) => reported.push(file));

  await mailer(LETTER);
  await mailer({ ...LETTER, to: 'bob@home.example' });

  const files = (await readdir(folder)).map((name) => join(folder, name));
  assert.deepEqual(reported.sort(), files.sort());
  assert.equal((await stat(files[0] ?? '')).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  const mails = await Promise.all(reported.map(async (file) => mailOf([], await readFile(file, 'utf8'))));
  assert.equal(mails[0]?.subject, LETTER.subject);
  assert.ok(mails.some(({ source }) => /^To: bob@home\.example/m.test(source)));
});

test('A mail is from the site’s own name, unless the settings name a sender', async (t) => {
  const server = await startSmtpServer(t);

  await smtpMailer(server.url, { ...FROM, name: undefined })(LETTER);

  assert.match(server.mails[0]?.source ?? '', /^From: Agora <no-reply@community\.example>\r$/m);
});
