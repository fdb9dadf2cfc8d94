// The entry point of the server.

import { start } from './start.ts';

await start(process.env);
