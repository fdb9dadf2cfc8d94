// Secrets in files, where a container or systemd puts them: unlike the environment, child processes and
// `docker inspect` don't show them.

import { readFileSync } from 'node:fs';
import { failureReason } from './failure-reason.ts';

/** Read the one line of a file. Throws an error that completes the sentence "the file …". */
export function readSecretFile(path: string): string {
  const line = contentOf(path).replace(/\r?\n$/, '');
  if (line === '') throw new Error(`${path} is empty`);
  if (/[\r\n]/.test(line)) throw new Error(`${path} must have only one line`);
  return line;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${path} cannot be read: ${failureReason(error)}`);
  }
}
