// The programs on an application's page: copied, they run.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ClientRegistration } from '../../../../src/oauth/client.ts';
import { type App, openApp } from '../../../support/app.ts';
import { type Browser, decodeEntities } from '../../../support/browser.ts';
import {
  browserOf,
  notebook,
  type Person,
  person,
  pocket,
  type RegisteredClient,
} from '../../../support/people.ts';
import { answerConsent } from '../../../support/relying-party.ts';

let app: App;
let alice: Person;
let browser: Browser;
let folder: string;

before(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  browser = await browserOf(app, 'alice');
  folder = await mkdtemp(join(tmpdir(), 'portico-code-'));
});
after(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const APPLICATIONS: Record<string, (more: Partial<ClientRegistration>) => Promise<RegisteredClient>> = {
  'a server app': (more) => notebook(app.portico, more),
  'a public application': (more) => pocket(app.portico, more),
  'an application that only signs in': (more) => pocket(app.portico, { ...more, scopes: ['openid'] }),
};

async function programs(client: RegisteredClient): Promise<Map<string, string>> {
  const page = await browser.read(`/developers/apps/${client.id}/code`);
  const texts = [...page.matchAll(/<pre id="sample-\d" tabindex="0" aria-label="(\w+)">([\s\S]*?)<\/pre>/g)];
  return new Map(texts.map(([, language = '', code = '']) => [language, decodeEntities(code)]));
}

/** Run a program, allow it in the browser, and return what it prints at the end. */
async function run(
  [command = '', ...args]: readonly string[],
  file: string,
  code: string,
  secret: string,
): Promise<string> {
  const path = join(folder, file);
  await writeFile(path, code);
  const child = spawn(command, [...args, path], { env: { ...process.env, CLIENT_SECRET: secret } });
  let output = '';
  let failure = '';
  child.stderr.on('data', (chunk) => {
    failure += chunk;
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const [, found] = /(http\S+\/oauth\/authorize\?\S+)\n[^\n]*:\n/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('close', () => reject(new Error(output + failure)));
  });
  const callback = await answerConsent(browser, new URL(address).searchParams);
  child.stdin.end(`${callback}\n`);
  assert.equal(await ended, 0, output + failure);
  return output.slice(output.indexOf(address) + address.length);
}

const { TEST_GO: go = '', TEST_PHP: php = '', TEST_PYTHON: python = '' } = process.env;

/** The commands that run a language, and its file. The first is empty if the machine has no such language. */
const LANGUAGES = {
  curl: [['sh'], 'sign-in.sh'],
  TypeScript: [[process.execPath], 'sign-in.ts'],
  Python: [[python], 'sign_in.py'],
  Go: [[go, 'run'], 'main.go'],
  PHP: [[php], 'sign-in.php'],
} as const;

for (const [what, register] of Object.entries(APPLICATIONS)) {
  for (const [language, [command, file]] of Object.entries(LANGUAGES)) {
    const skip = command[0] === '' && `no ${language}; run it with npm test`;
    test(`the ${language} program for ${what} signs a member in and reads`, { skip }, async () => {
      const client = await register({ ownerId: alice.id });
      const code = (await programs(client)).get(language) ?? '';
      if (client.secret !== '') assert.equal(code.includes(client.secret), false);

      const output = await run(command, file, code, client.secret);
      assert.match(output, what.includes('only') ? /sub/ : /alice/);
    });
  }
}

test('an address with an apostrophe stays one address in every program', async () => {
  const uri = "https://pocket.example/it's";
  const client = await pocket(app.portico, { ownerId: alice.id, redirectUris: [uri] });
  const all = await programs(client);

  assert(all.get('curl')?.includes(`REDIRECT_URI='https://pocket.example/it'\\''s'`));
  assert(all.get('PHP')?.includes(`'https://pocket.example/it\\'s'`));
  for (const language of ['TypeScript', 'Python', 'Go']) assert(all.get(language)?.includes(`"${uri}"`));
});
