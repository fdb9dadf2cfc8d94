// The server's entry. Keeps what the runtime compiled, so that later starts take half the time.

import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
// Only now: what is imported before the cache is on is not kept.
const { start } = await import('./start.ts');
// Run once after installation, so that the first start finds the cache filled.
if (!process.argv.includes('--prepare')) await start(process.env);
