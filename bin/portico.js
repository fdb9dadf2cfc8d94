#!/usr/bin/env node
// Starts the program: `serve` runs the server, all other words are a command of the operator's command line.
// Plain JavaScript, so that the compile cache is on before the first TypeScript file is loaded.

import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// The variable NODE_COMPILE_CACHE names another folder. Where a user can't write, everything works and starts
// later.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
await import(process.argv[2] === 'serve' ? '../src/main.ts' : '../src/cli/main.ts');
