// What a run of the tests leaves behind, databases and logs, is kept until its end and searched for secrets.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD } from './people.ts';
import { secretsIn } from './secrets.ts';

const FOLDER = 'TEST_TRACES';
let opened = 0;

/** Begins to keep traces, for this process and those that it starts. */
export function keepTraces(): void {
  process.env[FOLDER] = mkdtempSync(join(tmpdir(), 'portico-traces-'));
}

/** Where a program under test should leave its database and its log; undefined if nobody will look. */
export function traceOf(): { database: string; log: string } | undefined {
  const folder = process.env[FOLDER];
  if (folder === undefined) return undefined;
  opened += 1;
  const name = join(folder, `${process.pid}-${opened}`);
  return { database: `${name}.db`, log: `${name}.log` };
}

/** The files in which a secret of the tests occurs, one line each, and how many were searched. Forgets them all. */
export function searchTraces(): { searched: number; leaks: string[] } {
  const folder = process.env[FOLDER] ?? '';
  const names = readdirSync(folder);
  const leaks = names.flatMap((name) => {
    const secrets = secretsIn(readFileSync(join(folder, name), 'latin1'), [PASSWORD]);
    return secrets.length === 0 ? [] : [`${name.endsWith('.log') ? 'a log' : 'a database'}: ${secrets[0]}`];
  });
  rmSync(folder, { recursive: true });
  return { searched: names.length, leaks };
}
