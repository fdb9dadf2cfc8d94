// The receiver in the documentation works as it is printed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { byCommandLine, byMember } from '../../../src/audit/doer.ts';
import { openDelivery } from '../../../src/oauth/event-delivery.ts';
import { setEventEndpoint } from '../../../src/oauth/event-endpoint.ts';
import { pauseOwnConsent, resumeOwnConsent } from '../../../src/oauth/pause.ts';
import { openApp } from '../../support/app.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { sendToReceivers } from '../../support/event-receiver.ts';
import { notebook, person } from '../../support/people.ts';
import { addSignIn } from '../../support/seeding.ts';
import { freePort } from '../../support/services.ts';

const ROOT = join(import.meta.dirname, '../../..');

test('the documented receiver gets events, and refuses those of others', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  const { oauth } = app.portico;
  const alice = await person(app.portico, 'alice');
  const client = await notebook(app.portico);
  await addSignIn(app.portico, client, alice.id);
  const url = 'https://notebook.example/events';
  const by = byCommandLine(app.clock.read);
  const { secret } = await setEventEndpoint(by, oauth, client.id, 'webhook', url);

  const chapter = await readFile(join(ROOT, 'docs/developers/events.md'), 'utf8');
  const [, program = ''] = /```js\n(.*?)```/s.exec(chapter) ?? [];
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'receiver.mjs'), program);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const port = await freePort();
  const receiver = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => receiver.kill());
  const lines: string[] = [];
  createInterface(receiver.stdout).on('line', (line) => lines.push(line));
  const forged = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
  let answer: Response | undefined;
  while (answer === undefined) answer = await forged().catch(() => pause(50, undefined));
  assert.equal(answer.status, 400);

  await pauseOwnConsent(byMember(alice, app.clock.read), oauth, client.id);
  await resumeOwnConsent(byMember(alice, app.clock.read), oauth, client.id);
  const delivery = openDelivery(oauth, sendToReceivers([{ url, port }]), assert.ifError);
  while ((await delivery.begin()) > 0) await delivery.idle();

  receiver.kill();
  await once(receiver, 'close');
  assert.deepEqual(lines, ['access.paused 1', 'access.resumed 1']);
});
