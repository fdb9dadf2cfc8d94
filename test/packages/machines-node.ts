// The Node that developers have, which may be older than Portico's.

import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Return the Node that the machine has besides the one in this repository. If it has none, this one. */
export async function machinesNode(): Promise<string> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  for (const folder of folders) {
    const node = join(folder, 'node');
    const version = await promisify(execFile)(node, ['--version']).catch(() => undefined);
    if (version !== undefined && !version.stdout.startsWith('v18')) return node;
  }
  return process.execPath;
}
