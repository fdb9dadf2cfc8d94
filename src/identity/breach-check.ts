// Asking a service whether a breach made a new password public, when a visitor who isn't signed in chooses one.

import { attemptedFrom, type TooFast } from '../lib/attempt.ts';
import type { Identity } from './identity.ts';

// Within an hour, so that no visitor can make the server flood the service.
const MOST_CHECKS_FROM_ADDRESS = 30;
// From the larger network around an IPv6 address, which one person can have as well.
const MOST_CHECKS_FROM_NETWORK = 120;

/** Ask the service, if the site has one. Ask it last, because each question counts for the network address. */
export async function breachProblem(
  identity: Identity,
  password: string,
  address: string,
): Promise<'breached' | TooFast | undefined> {
  const { isBreached } = identity.passwordRules;
  if (isBreached === undefined) return undefined;
  const tooFast = await attemptedFrom(identity, identity.clock(), 'password check from', {
    address,
    most: MOST_CHECKS_FROM_ADDRESS,
    mostOfNetwork: MOST_CHECKS_FROM_NETWORK,
  });
  if (tooFast !== undefined) return tooFast;
  return (await isBreached(password)) ? 'breached' : undefined;
}
