#!/usr/bin/env node
// Starts the program: `serve` runs the server, anything else is a command for operators.
// Plain JavaScript, so that the compile cache is on before the first TypeScript file is loaded.

import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// NODE_COMPILE_CACHE names another folder. Without write access everything works, but starts more slowly.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
await import(process.argv[2] === 'serve' ? '../src/main.ts' : '../src/cli/main.ts');
