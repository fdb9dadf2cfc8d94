// Mails of the running program: sent soon, by one process, or written to a folder.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Browser } from '../support/browser.ts';
import { temporaryFolder } from '../support/databases.ts';
import { startProgram, untilTrue } from '../support/program.ts';
import { freePort } from '../support/services.ts';
import { mailOf, startSmtpServer } from '../support/smtp-server.ts';

const PASSWORD = 'a horse that staples';

async function setUpAs(program: { url: string; output(): string }, username: string): Promise<void> {
  const browser = new Browser(program.url);
  const link = /\/setup\?token=\S+/.exec(program.output())?.[0] ?? '';
  const page = await (await browser.follow(link)).text();
  const email = `${username}@home.example`;
  const answer = await browser.submit(page, '/setup', { username, password: PASSWORD, email });
  assert.equal(answer.status, 303);
}

for (const workers of ['1', '2']) {
  test(`With WORKERS=${workers} a mail is sent soon, and once`, async (t) => {
    const folder = await temporaryFolder(t);
    const server = await startSmtpServer(t);
    const SMTP_URL = server.url.replace('//', '//portico:hidden-word@');
    const DATABASE_URL = `file:${join(folder, 'portico.db')}`;
    const program = await startProgram({ DATABASE_URL, SMTP_URL, WORKERS: workers, LOG_LEVEL: 'debug' });
    t.after(() => program.stop());
    await program.opened();

    const start = performance.now();
    await setUpAs(program, 'alice');
    await untilTrue(() => server.mails.length > 0);
    const duration = performance.now() - start;
    await program.stop();

    assert.deepEqual(
      server.mails.map(({ to }) => to),
      [['alice@home.example']],
    );
    // With one process the mail is sent at once; another worker would first have to find it.
    assert.ok(duration < (workers === '1' ? 2500 : 6000), `${duration} ms`);
    assert.doesNotMatch(program.output(), /hidden-word|alice@|confirm\?token=/);
  });
}

test('If the mail server can’t be reached the log has the host and the reason, and not the password', async (t) => {
  const folder = await temporaryFolder(t);
  const SMTP_URL = `smtp://portico:hidden-word@127.0.0.1:${await freePort()}`;
  const program = await startProgram({ DATABASE_URL: `file:${join(folder, 'portico.db')}`, SMTP_URL });
  t.after(() => program.stop());
  await program.opened();

  await setUpAs(program, 'alice');
  await untilTrue(() => program.output().includes('could not send a mail'));

  assert.match(
    program.output(),
    /"reason":"SMTP_URL: cannot connect to 127\.0\.0\.1:\d+: no program is listening there"/,
  );
  assert.doesNotMatch(program.output(), /hidden-word|alice@/);
});

test('Without a mail server a mail is written to the outbox next to the database, and the log says where', async (t) => {
  const folder = await temporaryFolder(t);
  const program = await startProgram({ DATABASE_URL: `file:${join(folder, 'portico.db')}` });
  t.after(() => program.stop());
  await program.opened();

  await setUpAs(program, 'alice');
  await untilTrue(() => program.output().includes('wrote a mail to the outbox'));

  const [file = ''] = await readdir(join(folder, 'outbox'));
  const mail = mailOf([], await readFile(join(folder, 'outbox', file), 'utf8'));
  assert.match(mail.text, /\/email\/confirm\?token=[0-9A-Za-z]{54}/);
  assert.ok(program.output().includes(file));
  assert.doesNotMatch(program.output(), /confirm\?token=/);
});
