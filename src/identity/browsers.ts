// The browsers that a member is signed in with: listing them, and signing them out.

import type { MemberDoer } from '../audit/doer.ts';
import type { SignedInBrowser } from './browser-store.ts';
import type { Identity } from './identity.ts';
import { SESSION_IDLE } from './session.ts';

/** List the browsers, last visited first. */
export function signedInBrowsers({ reads, clock }: Identity, userId: number): Promise<SignedInBrowser[]> {
  const now = clock();
  return reads.browsersOf(userId, now, now - SESSION_IDLE);
}

/** Report whether signing out all browsers but the one with this session would end anything. */
export async function canSignOutOthers(identity: Identity, userId: number, key: string): Promise<boolean> {
  const browsers = await signedInBrowsers(identity, userId);
  const hasOthers = browsers.some((browser) => browser.key !== key);
  return hasOthers || identity.reads.hasSignInsElsewhere(userId, key, identity.clock());
}

/** Sign one of the member's browsers out. False if it is not signed in. */
export async function signOutBrowser(by: MemberDoer, identity: Identity, key: string): Promise<boolean> {
  const browser = (await signedInBrowsers(identity, by.userId)).find((one) => one.key === key);
  return browser !== undefined && identity.writes.endOwnSession(by, browser);
}

/** Sign all of the member's browsers out but the one with this session. */
export function signOutOthers(by: MemberDoer, { writes }: Identity, key: string): Promise<void> {
  return writes.endOtherSessions(by, key);
}
