// Where parsers of files find their inputs. The main thread removes the folder, since a thread may be ended at any
// moment.

import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SCRATCH = join(tmpdir(), `portico-fuzz-${process.pid}`);
