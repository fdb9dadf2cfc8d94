// Starting a set, erasing it, and signing in as one of its members.

import { startSession } from '../../identity/session.ts';
import type { Hit } from '../../lib/counter.ts';
import { wholeNetworkOf } from '../../lib/network.ts';
import type { SandboxSet } from '../../sandbox/sets.ts';
import type { PostedForm } from '../pages/form-page.ts';
import { tooOftenPage } from '../pages/too-often.ts';
import { clearSessionCookie, giveSession, type PageContext, programOf } from '../pages/visitor.ts';
import { rememberSet, type SandboxParts, setOfBrowser } from './set-guards.ts';

// A start takes the time of three passwords.
const MOST_STARTS = 10;
const MOST_STARTS_OF_ALL = 40;
const WINDOW_SECONDS = 600;

/** Start a set for this browser, in place of the one that it has, and sign in as the first member. */
export async function startSet(parts: SandboxParts, c: PageContext): Promise<Response> {
  const address = parts.clientAddress(c);
  const network = wholeNetworkOf(address);
  const hit = await hitOfStart(parts, network);
  if (!hit.allowed) return tooOftenPage(c, hit, '/');
  const before = setOfBrowser(parts, c);
  if (before !== undefined) await parts.sets.end(before);
  const set = await parts.sets.start(network);
  rememberSet(c, set);
  await signIn(parts, c, set.members[0]?.id ?? 0);
  return c.redirect('/sandbox', 303);
}

// The first starts of networks are counted apart. Otherwise four networks could keep all others out.
async function hitOfStart({ counter }: SandboxParts, network: string): Promise<Hit> {
  const own = await counter.hit(`sandbox:${network}`, MOST_STARTS, WINDOW_SECONDS);
  if (!own.allowed) return own;
  const which = own.remaining === MOST_STARTS - 1 ? 'first' : 'again';
  return counter.hit(`sandbox:${which}`, MOST_STARTS_OF_ALL, WINDOW_SECONDS);
}

/** Erase the set of this browser. */
export async function eraseSet(parts: SandboxParts, c: PageContext, set: SandboxSet): Promise<Response> {
  await parts.sets.end(set);
  clearSessionCookie(c);
  return c.redirect('/', 303);
}

/** Sign in as the member that the form names. */
export async function signInAs(
  parts: SandboxParts,
  c: PageContext,
  set: SandboxSet,
  form: PostedForm,
): Promise<Response> {
  const member = set.members.find(({ id }) => `${id}` === form.text('member'));
  if (member !== undefined) await signIn(parts, c, member.id);
  return c.redirect('/sandbox', 303);
}

async function signIn(parts: SandboxParts, c: PageContext, userId: number): Promise<void> {
  const address = parts.clientAddress(c);
  const browser = { program: programOf(c), isNew: false };
  const cookie = await startSession(parts.identity, userId, { method: 'password', address, browser });
  await giveSession(c, parts.identity, cookie, address);
}
