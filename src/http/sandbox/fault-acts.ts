// The faults that a developer can order, and what each button does.

import { byServer } from '../../audit/doer.ts';
import { setAccountStatus } from '../../identity/account-status.ts';
import { activateClient } from '../../oauth/client-status.ts';
import { withdrawConsent } from '../../oauth/withdrawal.ts';
import { replaceKeys } from '../../sandbox/filling.ts';
import type { SandboxSet, SetFault, SetPlace } from '../../sandbox/sets.ts';
import type { PostedForm } from '../pages/form-page.ts';
import { tooOftenPage } from '../pages/too-often.ts';
import type { PageContext } from '../pages/visitor.ts';
import type { SandboxParts } from './set-guards.ts';

/** Faults that wait for the next request of their kind. */
export const WAITING_FAULTS = {
  api_limited: ['api', 'rate_limited'],
  api_unavailable: ['api', 'unavailable'],
  tokens_unavailable: ['tokens', 'unavailable'],
  code_expired: ['code', 'expired'],
  refresh_replayed: ['refresh', 'replayed'],
} as const satisfies Record<string, readonly [SetPlace, SetFault]>;

/** Acts of a button: those that happen at once, and the switch for tokens. */
export const IMMEDIATE_FAULTS = ['short_tokens', 'long_tokens', 'key', 'withdrawn', 'suspended'] as const;

export type FaultName = keyof typeof WAITING_FAULTS | (typeof IMMEDIATE_FAULTS)[number];

// The keys belong to everyone who uses the sandbox, and making them takes time.
const KEYS_EVERY_SECONDS = 60;

// Each leaves entries about all applications of the member, and the database is in memory.
const MEMBER_CHANGES_AN_HOUR = 60;
const HOUR_SECONDS = 3600;

/** Do what the button says: order a fault, cancel those that wait, or change a member. */
export async function changeFault(
  parts: SandboxParts,
  c: PageContext,
  set: SandboxSet,
  form: PostedForm,
): Promise<Response> {
  const name = form.text('fault');
  if (name === 'key') {
    const hit = await parts.counter.hit('sandbox-keys:', 1, KEYS_EVERY_SECONDS);
    if (!hit.allowed) return tooOftenPage(c, hit, '/sandbox');
    await replaceKeys(parts.oauth);
  }
  if (name === 'short_tokens' || name === 'long_tokens') set.hasShortTokens = name === 'short_tokens';
  if (name === 'cancel') for (const place of PLACES) set.faults.clear(place);
  if (Object.hasOwn(WAITING_FAULTS, name)) {
    const [place, fault] = WAITING_FAULTS[name as keyof typeof WAITING_FAULTS];
    set.faults.clear(place);
    set.faults.add(place, fault);
  }
  const member = set.members.find(({ id }) => `${id}` === form.text('member'));
  if (member !== undefined) {
    const key = `sandbox-members:${set.clientId}`;
    const hit = await parts.counter.hit(key, MEMBER_CHANGES_AN_HOUR, HOUR_SECONDS);
    if (!hit.allowed) return tooOftenPage(c, hit, '/sandbox');
    await changeMember(parts, member.id, name);
  }
  return c.redirect(`/sandbox?done=${encodeURIComponent(name)}#faults`, 303);
}

const PLACES = [...new Set(Object.values(WAITING_FAULTS).map(([place]) => place))];

async function changeMember({ identity, oauth, clock }: SandboxParts, id: number, act: string) {
  const by = byServer(clock);
  if (act === 'suspended') {
    await setAccountStatus(by, identity, { id }, 'suspended');
    // The fault is about the member. The applications under test go on working for the other members.
    for (const { id: clientId, deactivation } of await oauth.reads.clientsOf(id)) {
      if (deactivation === 'suspension') await activateClient(by, oauth, clientId);
    }
  }
  if (act === 'reactivated') await setAccountStatus(by, identity, { id }, 'active');
  if (act === 'withdrawn') {
    for (const { client } of await oauth.reads.connectedClients(id, by.at)) {
      await withdrawConsent(by, oauth, id, client.id);
    }
  }
}
