// The server's entry.

import { start } from './start.ts';

// Run once after installation, so that what the runtime has compiled is there for the first start.
if (!process.argv.includes('--prepare')) await start(process.env);
