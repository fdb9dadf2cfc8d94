// Each quick start of the documentation, followed by a newcomer who has nothing but an account: from its links and with
// its programs, as the page shows them, to the first answer of the API.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startSample, untilListening } from '../examples/sample.ts';
import { Visitor } from '../examples/visitor.ts';
import { openApp } from '../support/app.ts';
import { Browser, decodeEntities } from '../support/browser.ts';
import { openChromium, signInWithCommunity, withoutChromium } from '../support/chromium.ts';
import { temporaryFolder } from '../support/databases.ts';
import { browserOf, person } from '../support/people.ts';
import { untilTrue } from '../support/program.ts';
import { answerConsent } from '../support/relying-party.ts';
import { freePort } from '../support/services.ts';

const app = await openApp();
after(() => app.close());
await person(app.portico, 'alice');
const browser = await browserOf(app, 'alice');

const { TEST_GO: go, TEST_PYTHON: flask } = process.env;
const python = spawnSync('python3', ['--version']).status === 0;

interface QuickStart {
  /** The path of the filled-in form. */
  form: string;
  /** The blocks of code, in their order. */
  code: string[];
}

async function quickStart(name: string): Promise<QuickStart> {
  const page = await new Browser(app.url).read(`/docs/quick-start-${name}`);
  const [, form = ''] = /href="[^"]*?(\/(?:developers|settings)\/[^"]*\/new\?[^"]*)"/.exec(page) ?? [];
  // As the button copies it, without the colours.
  const blocks = [...page.matchAll(/<pre[^>]*><code[^>]*>([\s\S]*?)<\/code><\/pre>/g)];
  return {
    form: decodeEntities(form),
    code: blocks.map(([, text = '']) => decodeEntities(text.replaceAll(/<[^>]+>/g, ''))),
  };
}

/** Send the form that a link fills in. On this machine, the port in it may be in use. */
async function register(link: string, ports: [string, number]): Promise<{ id: string; secret: string }> {
  const path = link.replace(ports[0], String(ports[1]));
  const answer = await browser.submit(await browser.read(path), '/developers/apps/new');
  const page = await answer.text();
  assert.match(page, /Application registered/);
  const secret = /svcs_[A-Za-z0-9]{60}/.exec(page)?.[0] ?? '';
  return { id: /app_[A-Za-z0-9]{22}/.exec(page)?.[0] ?? '', secret };
}

/** Read the settings and the words of a command such as `ISSUER=… node server.mjs`, with the application's values. */
function readCommand(text: string, { id, secret }: { id: string; secret: string }) {
  const words = text.trim().replace('app_...', id).replace('svcs_...', secret).split(' ');
  const settings = words.filter((word) => word.includes('='));
  return {
    settings: Object.fromEntries(settings.map((setting) => setting.split(/=(.*)/s).slice(0, 2))),
    words: words.filter((word) => !word.includes('=')),
  };
}

async function greetedBy(origin: string): Promise<void> {
  const visitor = new Visitor(origin);
  const request = new URL(await visitor.redirectFrom('/sign-in')).searchParams;
  await visitor.send((await answerConsent(browser, request)).href);
  assert.match(await visitor.page(), /You are <strong>alice</);
}

test('A web server in Node greets a member', async (t) => {
  const { form, code } = await quickStart('server');
  const port = await freePort();
  const client = await register(form, ['4000', port]);
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'server.mjs'), code[0] ?? '');
  const { settings, words } = readCommand(code[1] ?? '', client);
  const origin = `http://127.0.0.1:${port}`;

  assert.deepEqual(words, ['node', 'server.mjs']);
  const program = startSample(t, [process.execPath, 'server.mjs'], folder, { ...settings, ORIGIN: origin });
  await untilListening(program, port);
  await untilTrue(() => program.output() === `Open ${origin}\n`);
  await greetedBy(origin);
});

test('A web server in Python greets a member', {
  skip: flask ? false : 'no Python with Flask and Authlib; run it with npm test',
}, async (t) => {
  const { form, code } = await quickStart('server');
  const port = await freePort();
  const client = await register(form, ['4000', port]);
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'app.py'), code[2] ?? '');
  const [install = '', command = ''] = (code[3] ?? '').split('\n');
  const { settings, words } = readCommand(command, client);
  const origin = `http://127.0.0.1:${port}`;

  assert.equal(install, 'python3 -m pip install flask authlib requests');
  assert.deepEqual(words, ['python3', 'app.py']);
  const program = startSample(t, [flask ?? '', 'app.py'], folder, { ...settings, ORIGIN: origin });
  await untilListening(program, port);
  await greetedBy(origin);
});

test('A browser-only page greets a member', { skip: withoutChromium }, async (t) => {
  const { form, code } = await quickStart('page');
  const port = await freePort();
  const client = await register(form, ['4000', port]);
  const server = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/html').end(code[0]?.replace('app_...', client.id));
  }).listen(port, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const chromium = await openChromium();
  t.after(() => chromium.close());
  const page = await chromium.newPage({ locale: 'en-GB' });

  await page.goto(`http://127.0.0.1:${port}/`);
  await signInWithCommunity(page, 'alice');
  await page.getByText('You are alice.').waitFor();
});

test('A program in Go lists the posts of a member', {
  skip: go ? false : 'no Go; run it with npm test',
}, async (t) => {
  const { form, code } = await quickStart('device');
  const port = await freePort();
  const client = await register(form, ['8400', port]);
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'main.go'), code[0] ?? '');
  const { settings, words } = readCommand(code[1] ?? '', client);

  assert.deepEqual(words, ['go', 'run', 'main.go']);
  const environment = { ...settings, PORT: String(port), GOPROXY: 'off' };
  const program = startSample(t, [go ?? '', 'run', 'main.go'], folder, environment);
  await untilTrue(() => /http\S+\n/.test(program.output()));
  const [address = ''] = /http\S+(?=\n)/.exec(program.output()) ?? [];
  await fetch(await answerConsent(browser, new URL(address).searchParams));
  assert.match(await program.ended(), /The posts of alice:\n$/);
});

test('A phone app comes back through a private scheme, which a link can’t fill in', async () => {
  const { form } = await quickStart('device');
  const path = form.replace(
    encodeURIComponent('http://127.0.0.1:8400/callback'),
    'com.example.app:/callback',
  );
  const page = await browser.read(path);
  const typed = { redirect_uri: ['com.example.app:/callback'] };

  assert.equal(page.includes('value="com.example.app'), false);
  const answer = await browser.submit(page, '/developers/apps/new', typed);
  assert.match(await answer.text(), /Application registered[\s\S]*com\.example\.app:\/callback/);
});

const SCRIPTS: [name: string, block: number, command: string[] | undefined][] = [
  ['curl', 1, ['sh', 'SCRIPT']],
  ['TypeScript', 2, [process.execPath, '--input-type=module-typescript', '-e', 'TEXT']],
  ['Python', 3, python ? ['python3', 'SCRIPT'] : undefined],
  ['Go', 4, go ? [go, 'run', 'SCRIPT'] : undefined],
];

async function output([command = '', ...words]: string[], token: string): Promise<string> {
  const child = spawn(command, words, { env: { ...process.env, TOKEN: token, GOPROXY: 'off' } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  await new Promise((resolve) => child.on('close', resolve));
  return text;
}

const { form: tokenForm, code: scripts } = await quickStart('script');
const filledIn = await (await browser.follow(tokenForm)).text();
const shown = await (await browser.submit(filledIn, '/settings/tokens')).text();

test('The command beside a new token shows one’s own profile', async () => {
  assert.match(shown, /Copy your new token now/);
  const [, command = ''] = /<pre[^>]*id="curl-line"[^>]*>([\s\S]*?)<\/pre>/.exec(shown) ?? [];

  const text = await output(['sh', '-c', `${decodeEntities(command)} -s`], '');
  assert.equal(JSON.parse(text).username, 'alice');
});

for (const [name, block, command] of SCRIPTS) {
  test(`The script in ${name} shows one’s own profile`, {
    skip: command ? false : `no ${name}`,
  }, async (t) => {
    const token = /svcp_[A-Za-z0-9]{60}/.exec(shown)?.[0] ?? '';
    const text = scripts[block] ?? '';
    const file = join(await temporaryFolder(t), 'script.go');
    await writeFile(file, text);

    const words = (command ?? []).map((word) => ({ SCRIPT: file, TEXT: text })[word] ?? word);
    assert.match(await output(words, token), /username['"]?: ?['"]alice/);
  });
}
