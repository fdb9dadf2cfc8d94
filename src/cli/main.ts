// The operator's command line (contract §2): reads the words, prints the ending, sets the exit code.

import { text } from 'node:stream/consumers';

import { runProgram } from './program.ts';

let shown = -1;
const LINE_EVERY_MS = 5000;
// A short work says nothing.
let nextLine = performance.now() + LINE_EVERY_MS;
const { code, stdout, stderr } = await runProgram(process.argv.slice(2), {
  async config() {
    const { readConfig } = await import('../config.ts');
    return readConfig(process.env);
  },
  progress,
  readInput() {
    if (process.stdin.isTTY) process.stderr.write('Reading standard input; end it with Ctrl-D.\n');
    return text(process.stdin);
  },
});
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;

// Drawn where somebody looks, and only when it changes. Elsewhere, as in a log, a line now and then.
function progress(share: number): void {
  const percent = Math.floor(share * 100);
  if (percent === shown) return;
  if (!process.stderr.isTTY) {
    if (performance.now() < nextLine) return;
    nextLine = performance.now() + LINE_EVERY_MS;
    process.stderr.write(`portico: ${percent} %\n`);
    return;
  }
  shown = percent;
  const filled = '█'.repeat(Math.floor(percent / 4)).padEnd(25, '·');
  process.stderr.write(`\r${filled} ${percent} %${percent === 100 ? '\n' : ''}`);
}
