// Runs the command line as operators do: as a process, on a database file of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compose, type Portico } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { type TestScope, temporaryFolder } from '../support/databases.ts';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Cli {
  folder: string;
  settings: Record<string, string>;
  /** Run `portico` with these arguments, and with this on standard input. */
  run(words: readonly string[], input?: string): Promise<Ended>;
  /** Run it with --json too. Returns the JSON that it prints, and the exit code. */
  json(words: readonly string[], input?: string): Promise<{ code: number; document: Document }>;
  /** Open the same database in this process, and migrate it. */
  open(): Promise<Portico>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever document the command prints.
type Document = any;

const MAIN = new URL('../../bin/portico.js', import.meta.url).pathname;

/**
 * Set up a command line in an empty folder, where each command makes a community if there is none. `settings` override
 * the defaults.
 */
export async function cliIn(
  scope: TestScope,
  settings: Record<string, string> = {},
  firstWords: readonly string[] = ['--create'],
): Promise<Cli> {
  const folder = await temporaryFolder(scope);
  const environment = { DATABASE_URL: `file:${join(folder, 'portico.db')}`, ...settings };
  const cli: Cli = {
    folder,
    settings: environment,
    async run(words, input = '') {
      const child = spawn(process.execPath, [MAIN, ...firstWords, ...words], {
        env: environment,
        cwd: folder,
      });
      // A command that doesn't read its input may exit before all of it is written.
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      return { code, stdout, stderr };
    },
    async json(words, input) {
      const { code, stdout } = await cli.run([...words, '--json'], input);
      return { code, document: JSON.parse(stdout) };
    },
    async open() {
      const portico = await compose(readConfig({ LOG_LEVEL: 'silent', ...environment }));
      scope.after(() => portico.close());
      await portico.database.migrate();
      return portico;
    },
  };
  return cli;
}
