// The operator's command line (contract §2): runs the program, prints its output and sets the exit code.

import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../lib/refusal.ts';
import { writeOut } from './listing.ts';
import { runProgram } from './program.ts';

// The reader of a long list, such as head, has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

let shownPercent = -1;
const LINE_EVERY_MS = 5000;
// A command that ends sooner shows no progress.
let nextLine = performance.now() + LINE_EVERY_MS;
const { code, stdout, stderr } = await runProgram(process.argv.slice(2), {
  async config() {
    const { readConfig } = await import('../config.ts');
    return readConfig(process.env);
  },
  creates: false,
  asJson: false,
  write: writeOut,
  progress,
  readInput() {
    if (process.stdin.isTTY) process.stderr.write('Reading standard input. Press Ctrl-D to end it.\n');
    return text(process.stdin);
  },
  async writeOutput(path) {
    if (process.stdout.isTTY) {
      throw new Refusal('output_is_terminal', 'Standard output is a terminal. Add > and a file name.');
    }
    await pipeline(createReadStream(path), process.stdout, { end: false });
  },
});
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;

// A bar on a terminal; in a log, a line every few seconds.
function progress(share: number): void {
  const percent = Math.floor(share * 100);
  if (percent === shownPercent) return;
  if (!process.stderr.isTTY) {
    if (performance.now() < nextLine) return;
    nextLine = performance.now() + LINE_EVERY_MS;
    process.stderr.write(`portico: ${percent} %\n`);
    return;
  }
  shownPercent = percent;
  const bar = '█'.repeat(Math.floor(percent / 4)).padEnd(25, '·');
  process.stderr.write(`\r${bar} ${percent} %${percent === 100 ? '\n' : ''}`);
}
