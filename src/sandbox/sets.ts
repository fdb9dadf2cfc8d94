// The sets of the sandbox. Each developer has one: test members with posts, an application, and faults. They are known
// to this process alone, as the database is.

import { byServer } from '../audit/doer.ts';
import type { Community } from '../community/community.ts';
import type { Identity } from '../identity/identity.ts';
import { MEMBER_FOREVER, setMembership } from '../identity/membership.ts';
import { DAY, type Timestamp } from '../lib/clock.ts';
import { randomBase62 } from '../lib/secrets.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { registerClient } from '../oauth/client.ts';
import { type Faults, openFaults } from './faults.ts';
import { addMember, publish } from './filling.ts';
import { TEST_CALLBACKS, TEST_MEMBERS, type TestMember, type TestMemberKind } from './test-data.ts';

/** A set is erased this long after it was started. */
export const SET_LIFETIME = 1 * DAY;
/** How many sets there are at once. The oldest makes room for a new one. */
const MOST_SETS = 200;
const MOST_SETS_OF_NETWORK = 5;

export type SetFault = 'rate_limited' | 'unavailable' | 'expired' | 'replayed';
/** Which request fails: one of the API, one for tokens, one with a code, or one with a refresh token. */
export type SetPlace = 'api' | 'tokens' | 'code' | 'refresh';

export interface SandboxSet {
  /** What the browser of its developer has in a cookie. */
  key: string;
  network: string;
  endsAt: Timestamp;
  members: readonly { id: number; kind: TestMemberKind }[];
  /** Of all its members. */
  password: string;
  clientId: string;
  clientSecret: string;
  /** Whether access tokens expire after ten seconds. */
  hasShortTokens: boolean;
  faults: Faults<SetFault, SetPlace>;
  /** The keys of the codes that were refused as expired. */
  expiredCodes: Set<string>;
}

export interface Sets {
  /** Creates a set, and ends the oldest if there are too many. */
  start(network: string): Promise<SandboxSet>;
  /** Undefined if there is no such set, or if its time is over. */
  find(key: string | undefined): SandboxSet | undefined;
  ofMember(userId: number): SandboxSet | undefined;
  /** Erases a set with everything that its members did. */
  end(set: SandboxSet): Promise<void>;
  /** Erases the sets whose time is over. Returns how many. */
  endDue(): Promise<number>;
}

export interface SetParts {
  identity: Identity;
  community: Community;
  oauth: AuthorizationServer;
  /** Erases members with everything that belongs to them. */
  erase(userIds: readonly number[]): Promise<void>;
}

export function openSets(parts: SetParts): Sets {
  const { clock } = parts.identity;
  const sets = new Map<string, SandboxSet>();
  const setsByMember = new Map<number, SandboxSet>();
  const isOver = ({ endsAt }: SandboxSet) => endsAt <= clock();

  async function end(set: SandboxSet): Promise<void> {
    sets.delete(set.key);
    const ids = set.members.map(({ id }) => id);
    for (const id of ids) setsByMember.delete(id);
    await parts.erase(ids);
  }

  // The sets are in the order of their starts.
  async function makeRoom(network: string): Promise<void> {
    const ofNetwork = [...sets.values()].filter((set) => set.network === network);
    for (const set of ofNetwork.slice(0, Math.max(0, ofNetwork.length - MOST_SETS_OF_NETWORK)))
      await end(set);
    for (const set of [...sets.values()].slice(0, Math.max(0, sets.size - MOST_SETS))) await end(set);
  }

  return {
    async start(network) {
      const set = await newSet(parts, network);
      sets.set(set.key, set);
      for (const { id } of set.members) setsByMember.set(id, set);
      await makeRoom(network);
      return set;
    },
    find(key = '') {
      const set = sets.get(key);
      return set === undefined || isOver(set) ? undefined : set;
    },
    ofMember: (userId) => setsByMember.get(userId),
    end,
    async endDue() {
      const due = [...sets.values()].filter(isOver);
      for (const set of due) await end(set);
      return due.length;
    },
  };
}

async function newSet(parts: SetParts, network: string): Promise<SandboxSet> {
  const { oauth, identity } = parts;
  const by = byServer(identity.clock);
  const ending = randomBase62(6).toLowerCase();
  const password = `sandbox-${randomBase62(10)}`;
  const members = [];
  for (const member of TEST_MEMBERS) members.push(await newMember(parts, member, ending, password));
  const registration = {
    name: 'Test application',
    kind: 'confidential',
    redirectUris: TEST_CALLBACKS,
    ...(members[0] && { ownerId: members[0].id }),
  } as const;
  const { client, secret = '' } = await registerClient(by, oauth, registration);
  return {
    key: randomBase62(40),
    network,
    endsAt: by.at + SET_LIFETIME,
    members,
    password,
    clientId: client.id,
    clientSecret: secret,
    hasShortTokens: true,
    faults: openFaults(),
    expiredCodes: new Set(),
  };
}

async function newMember(
  { identity, community }: SetParts,
  { name, kind, bio, isMember, posts }: TestMember,
  ending: string,
  password: string,
): Promise<{ id: number; kind: TestMemberKind }> {
  const by = byServer(identity.clock);
  const before = (age: number) => ({ ...by, at: by.at - age });
  const oldest = Math.max(0, ...posts.map(({ age }) => age));
  const username = `${name}-${ending}`;
  const id = await addMember(before(oldest + DAY), identity, { username, password, bio });
  if (isMember) await setMembership(by, identity, id, { until: MEMBER_FOREVER, isPastMeant: false });
  for (const { age, ...post } of posts) await publish(before(age), community, id, post);
  return { id, kind };
}
