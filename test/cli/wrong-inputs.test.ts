// Wrong settings and wrong command lines. Each answer names the setting or option, what was given (unless it can be a
// secret) and what is expected.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECURITY_EVENT_NAMES } from '../../src/audit/security-event.ts';
import { runProgram } from '../../src/cli/program.ts';
import { readConfig } from '../../src/config.ts';
import { temporaryFolder } from '../support/databases.ts';
import { WRONG_SETTINGS, type WrongInput } from '../support/wrong-settings.ts';

const ROWS: WrongInput[] = [
  ...WRONG_SETTINGS,
  [{}, [], 2, 'Which command? See portico --help.'],
  [{}, ['usr', 'create'], 2, 'There is no command "usr". Did you mean user? See portico --help.'],
  [{}, ['sandbox', '--port=80'], 2, 'Unknown option --port. See portico sandbox --help.'],
  [{}, ['token'], 2, 'A word is missing. The commands here are: token create, token revoke.'],
  [
    {},
    ['token', 'creat'],
    2,
    'There is no command "token creat". The commands here are: token create, token revoke. Did you mean token create?',
  ],
  [
    {},
    ['user', 'create', '--usrname', 'alice'],
    2,
    'Unknown option --usrname. Did you mean --username? See portico user create --help.',
  ],
  [
    {},
    ['user', 'set-status', '--status', 'active'],
    2,
    '--username NAME is missing. See portico user set-status --help.',
  ],
  [
    {},
    ['user', 'create', '--username'],
    2,
    '--username needs a value. Write a value that begins with a dash as --username=-… See portico user create --help.',
  ],
  [
    {},
    ['client', 'update', '--client-id', 'app_x'],
    2,
    'Nothing to change. Pass --home-page URL or --webhook URL, for example. See portico client update --help.',
  ],
  [
    {},
    ['client', 'rotate-secret', '--client-id', 'app_x', '--keep-old', '721'],
    2,
    '--keep-old must be from 0 to 720, not 721. See portico client rotate-secret --help.',
  ],
  [
    {},
    ['client', 'delete', '--client-id', 'app_x', '--now', '--cancel'],
    2,
    "--now can't be used with --cancel. See portico client delete --help.",
  ],
  [{}, ['user', 'create', '--operator=yes'], 2, '--operator takes no value. See portico user create --help.'],
  [
    {},
    ['user', 'set-status', '--username', 'alice', '--status', 'suspend'],
    2,
    '--status must be one of active, suspended, closed, not "suspend". Did you mean suspended? See portico user set-status --help.',
  ],
  [
    {},
    ['token', 'create', '--username', 'a', '--name', 'n', '--scope', 'posts:write'],
    2,
    '--scope must be one of profile:read, posts:read, not "posts:write". See portico token create --help.',
  ],
  [
    {},
    ['token', 'create', '--username', 'alice', '--name', 'n', '--scope', 'posts:read', '--days', 'soon'],
    2,
    '--days must be a whole number, not "soon". See portico token create --help.',
  ],
  [
    {},
    ['user', 'set-membership', '--username', 'alice', '--until', 'tomorrow'],
    2,
    '--until must be a day such as 2027-01-31, or never, or none, not "tomorrow". See portico user set-membership --help.',
  ],
  [
    {},
    ['audit', 'list', '--subject', 'alice'],
    2,
    '--subject must be a kind and an id such as user:7 or client:app_…, not "alice". See portico audit list --help.',
  ],
  [
    {},
    ['audit', 'list', '--limit', '5000'],
    2,
    '--limit must be from 1 to 1000, not 5000. See portico audit list --help.',
  ],
  [
    {},
    ['security', 'list', '--event', 'login'],
    2,
    `--event must be one of ${SECURITY_EVENT_NAMES.join(', ')}, not "login". See portico security list --help.`,
  ],
  [
    {},
    ['migrate-database', '--to', 'mysql://x'],
    2,
    '--to must be an address such as postgres://user:password@host/name. Percent-encode @ and / in the password. See portico migrate-database --help.',
  ],
  [
    {},
    ['user', 'create', '--username', 'al', '--password', 'a long walk in the rain'],
    1,
    'There is no community at {folder}/portico.db. Is DATABASE_URL right? To make a new community there, start the server, or add --create.',
  ],
  [
    {},
    ['user', 'create', '--username', 'alice', '--password', 'short'],
    1,
    'There is no community at {folder}/portico.db. Is DATABASE_URL right? To make a new community there, start the server, or add --create.',
  ],
  [
    {},
    ['user', 'create', '--username', 'alice', '--password', 'a long walk in the rain', '--email', 'alice'],
    1,
    'There is no community at {folder}/portico.db. Is DATABASE_URL right? To make a new community there, start the server, or add --create.',
  ],
  [{}, ['token', 'revoke'], 2, 'Use either --token or --id. See portico token revoke --help.'],
  [
    {},
    ['token', 'revoke', '--id', '99'],
    1,
    'There is no community at {folder}/portico.db. Is DATABASE_URL right? To make a new community there, start the server, or add --create.',
  ],
  [
    {},
    ['user', 'set-status', '--username', 'nobody', '--status', 'closed'],
    1,
    'There is no community at {folder}/portico.db. Is DATABASE_URL right? To make a new community there, start the server, or add --create.',
  ],
  [
    {},
    ['client', 'create', '--name', 'App', '--type', 'public', '--redirect-uri', 'http://app.example/cb'],
    1,
    'There is no community at {folder}/portico.db. Is DATABASE_URL right? To make a new community there, start the server, or add --create.',
  ],
  [
    {},
    ['client', 'rotate-secret', '--client-id', 'app_x'],
    1,
    'There is no community at {folder}/portico.db. Is DATABASE_URL right? To make a new community there, start the server, or add --create.',
  ],
  [
    {},
    ['post', 'create', '--username', 'alice', '--title', 'T', '--body-file', '{folder}/none.md'],
    1,
    "--body-file: {folder}/none.md can't be read: there is no such file or folder.",
  ],
  [
    {},
    ['post', 'create', '--username', 'alice', '--title', 'T', '--body-file', '{folder}'],
    1,
    "--body-file: {folder} can't be read: it is a folder.",
  ],
  [
    {},
    ['import', '{folder}/none.jsonl'],
    1,
    "{folder}/none.jsonl can't be read: there is no such file or folder.",
  ],
  [{}, ['import', '{folder}'], 1, "{folder} can't be read: it is not a file."],
  [
    {},
    ['import', 'F.jsonl', '--member', 'alice'],
    2,
    '--member must be THEIRS=OURS, the username in the source and the one here, not "alice". See portico import --help.',
  ],
  [
    {},
    ['backup'],
    2,
    'FILE is missing. Name a file, or a folder with --to or the setting BACKUP_TO. See portico backup --help.',
  ],
  [{}, ['backup', '{folder}/none/x.db'], 1, 'There is no database at {folder}/portico.db.'],
  [{}, ['backup', '{folder}'], 1, 'There is no database at {folder}/portico.db.'],
  [
    {},
    ['backup', '{folder}/a.db', '--to', '{folder}'],
    2,
    'Use either FILE or --to FOLDER, not both. See portico backup --help.',
  ],
  [{}, ['backup', '--to', '{folder}/none'], 1, 'There is no folder {folder}/none. Make it first.'],
  [
    {},
    ['backup', '{folder}/a.db', '--keep', '3'],
    2,
    '--keep is for --to FOLDER. One FILE replaces nothing. See portico backup --help.',
  ],
  [
    {},
    ['backup', '--to', '{folder}', '--keep', '0'],
    2,
    '--keep must be from 1 to 3650 days, not 0. See portico backup --help.',
  ],
  [{}, ['restore', '{folder}/none.db'], 1, 'There is no file {folder}/none.db.'],
  [{}, ['restore', '{folder}', '--force'], 1, '{folder} is a folder, not a backup.'],
  [{}, ['restore', '{folder}', '--check'], 1, "{folder} can't be read: it is a folder."],
  [
    {},
    ['restore', '{folder}/x.db', '--check', '--force'],
    2,
    '--check replaces nothing. Use either --check or --force. See portico restore --help.',
  ],
  [
    {},
    ['doctor', '--mail-to', 'me'],
    2,
    '--mail-to must be an email address such as me@community.example. See portico doctor --help.',
  ],
  [
    {},
    ['invitation', 'create', '--days', '1000'],
    1,
    'There is no community at {folder}/portico.db. Is DATABASE_URL right? To make a new community there, start the server, or add --create.',
  ],
  [
    {},
    ['invitation', 'revoke', '--id', 'x'],
    1,
    'There is no community at {folder}/portico.db. Is DATABASE_URL right? To make a new community there, start the server, or add --create.',
  ],
  [
    {},
    ['keys', 'rotate', '--alg', 'HS256'],
    2,
    '--alg must be one of RS256, ES256, not "HS256". Did you mean RS256? See portico keys rotate --help.',
  ],
  [
    {},
    ['consent', 'withdraw', '--username', 'x', '--client-id', 'y'],
    1,
    'There is no community at {folder}/portico.db. Is DATABASE_URL right? To make a new community there, start the server, or add --create.',
  ],
];

test('A wrong setting or command line is answered with what was given and what is expected.', async (t) => {
  const folder = await temporaryFolder(t);
  const inFolder = (text: string) => text.replaceAll('{folder}', folder);

  assert.ok(ROWS.length >= 40);
  for (const [settings, words, code, answer] of ROWS) {
    const environment = Object.fromEntries(
      Object.entries({ DATABASE_URL: 'file:{folder}/portico.db', ...settings }).map(([name, value]) => [
        name,
        inFolder(value),
      ]),
    );
    const ending = await runProgram(words.map(inFolder), {
      config: async () => readConfig(environment),
      creates: true,
      asJson: false,
      progress() {},
      readInput: async () => '',
      write: async () => {},
      writeOutput: async () => {},
    });

    assert.deepEqual(ending, { code, stdout: '', stderr: inFolder(`portico: ${answer}\n`) });
  }
});

test('No answer about a wrong setting repeats the password in it.', () => {
  for (const [settings, , , answer] of ROWS) {
    const password = Object.values(settings)
      .join()
      .match(/:\/\/[^:]*:(.*)@/)?.[1];
    if (password !== undefined) assert.ok(!answer.includes(password), answer);
  }
});
