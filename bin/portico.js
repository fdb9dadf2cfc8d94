#!/usr/bin/env node
// Runs the program: `serve` opens the service, every other word is the operator's command line. Plain JavaScript, since
// loading what takes away types would cost each start 50 ms.

import { readdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..');
// Only what is imported after this is kept.
enableCompileCache(join(FOLDER, 'node_modules/.cache/compiled'));
const entry = process.argv[2] === 'serve' ? 'main' : 'cli/main';
await import(isBuilt() ? `../dist/${entry}.js` : `../src/${entry}.ts`);

/**
 * Whether what `build.ts` has made is as new as all that it was made of. Else the sources themselves run, so that
 * nobody ever runs something else than what is there to be read; it only takes longer to start.
 */
function isBuilt() {
  const built = statSync(join(FOLDER, 'dist/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(FOLDER, 'src'), { recursive: true, encoding: 'utf8' });
  // Folders too: they tell of files that are gone.
  return ['', ...sources].every((path) => statSync(join(FOLDER, 'src', path)).mtimeMs <= built);
}
