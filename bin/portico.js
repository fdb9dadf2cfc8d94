#!/usr/bin/env node
// Starts the program: `serve` or `sandbox` alone runs a server, anything else is a command for operators.
// Plain JavaScript, so that the compile cache is on before the first TypeScript file is loaded, and so that an
// old Node can read this file and say what is wrong.

import { statSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

const OLDEST_NODE = 26;

if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) {
  // NODE_COMPILE_CACHE names another folder. Without write access everything works, but starts more slowly.
  module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
  try {
    // Settings of a file .env in the current folder. Those of the environment win. In a folder such as /tmp, another
    // user may have left one that names another database.
    if ([0, process.getuid?.() ?? 0].includes(statSync('.env').uid)) process.loadEnvFile();
    else process.stderr.write('portico: the file .env is not read, because it belongs to another user.\n');
  } catch (error) {
    if (error.code !== 'ENOENT') {
      process.stderr.write(`portico: the file .env in ${process.cwd()} can't be read (${error.code})\n`);
      process.exit(2);
    }
  }
  // The servers have no options, so `serve --help` and mistakes are for the command line.
  const [first, ...more] = process.argv.slice(2);
  const isServer = more.length === 0 && (first === 'serve' || first === 'sandbox');
  await import(isServer ? '../src/main.ts' : '../src/cli/main.ts');
} else {
  // npm skips an optional package that it can't download or whose hash is wrong, and doesn't say so.
  process.stderr.write(
    `portico: this is Node ${process.versions.node}, and Portico needs Node ${OLDEST_NODE}. Start it with ` +
      '`npm start`. If you did, `npm ci` could not install the runtime: run it again with `--loglevel verbose`.\n',
  );
  process.exitCode = 1;
}
