// The databases and logs of a test run are kept until its end and searched for secrets.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD } from './people.ts';
import { secretsIn } from './secrets.ts';

const FOLDER = 'TEST_TRACES';
let traceCount = 0;

/** Begin to keep traces, for this process and those that it starts. */
export function keepTraces(): void {
  process.env[FOLDER] = mkdtempSync(join(tmpdir(), 'portico-traces-'));
}

/** Return where a program under test should put its database and its log. Undefined if traces are not kept. */
export function traceOf(): { database: string; log: string } | undefined {
  const folder = process.env[FOLDER];
  if (folder === undefined) return undefined;
  traceCount += 1;
  const name = join(folder, `${process.pid}-${traceCount}`);
  return { database: `${name}.db`, log: `${name}.log` };
}

/** Search the traces and delete them. Returns a line for each file with a secret, and the number of files. */
export function searchTraces(): { fileCount: number; leaks: string[] } {
  const folder = process.env[FOLDER] ?? '';
  const names = readdirSync(folder);
  const leaks = names.flatMap((name) => {
    const secrets = secretsIn(readFileSync(join(folder, name), 'latin1'), [PASSWORD]);
    return secrets.length === 0 ? [] : [`${name.endsWith('.log') ? 'a log' : 'a database'}: ${secrets[0]}`];
  });
  rmSync(folder, { recursive: true });
  return { fileCount: names.length, leaks };
}
