// Asks a service whether a breach made a password public, without telling it the password: it gets the first five
// characters of the SHA-1 digest, and answers with all digests that begin with them (k-anonymity).

import { hash } from 'node:crypto';
import { SECOND } from './clock.ts';
import { failureReason } from './failure-reason.ts';

const PREFIX_LENGTH = 5;
const PATIENCE = 2 * SECOND;

/**
 * Make the function that asks the service at an address such as https://api.pwnedpasswords.com/range. If the
 * service fails, `tell` gets the reason, and the password counts as not breached.
 */
export function breachedPasswords(
  url: string,
  tell: (reason: string) => void,
  patience = PATIENCE,
): (password: string) => Promise<boolean> {
  return async (password) => {
    const digest = hash('sha1', password, 'hex').toUpperCase();
    const rest = digest.slice(PREFIX_LENGTH);
    try {
      const response = await fetch(`${url}/${digest.slice(0, PREFIX_LENGTH)}`, {
        // With padding, the length of the answer doesn't tell the prefix either.
        headers: { 'Add-Padding': 'true', 'User-Agent': 'Portico' },
        redirect: 'error',
        signal: AbortSignal.timeout(patience),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return listsDigest(await response.text(), rest);
    } catch (error) {
      tell(failureReason(error));
      return false;
    }
  };
}

// Lines are `REST:COUNT`. Padding has the count 0.
function listsDigest(lines: string, rest: string): boolean {
  return lines.split(/\r?\n/).some((line) => {
    const [suffix, count] = line.split(':');
    return suffix?.toUpperCase() === rest && Number(count) > 0;
  });
}
