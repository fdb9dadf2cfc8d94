// What can change for a member, each change with the request that must see it. A change is made by a second process
// on the same database, or by the server itself.

import { byMember, byServer } from '../../src/audit/doer.ts';
import { XP_FOR_POST } from '../../src/community/level.ts';
import { removePost } from '../../src/community/post.ts';
import { save, write } from '../../src/community/writing.ts';
import type { Portico } from '../../src/compose.ts';
import { DAY } from '../../src/lib/clock.ts';
import { activateClient, deactivateClient } from '../../src/oauth/client-status.ts';
import { revokeOwnPersonalToken } from '../../src/oauth/personal-token.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import { Caller } from '../support/caller.ts';
import { notebook, type RegisteredClient } from '../support/people.ts';
import { addMember, addPersonalToken, addSignIn } from '../support/seeding.ts';

const PROFILE = '/api/open/v1/me';
const PAGE_SIZE = 5;
const POSTS = `/api/open/v1/me/posts?size=${PAGE_SIZE}`;

/** A member with a sign-in and a personal token, and two applications of which the second is there to be lost. */
export interface Household {
  portico: Portico;
  caller: Caller;
  userId: number;
  username: string;
  application: RegisteredClient;
  second: RegisteredClient;
  access: string;
  personal: string;
  /** What the server must answer. */
  bio: string;
  member: boolean;
  xp: number;
  /** The published posts, newest first. */
  posts: { id: number; title: string }[];
}

export async function openHousehold(
  portico: Portico,
  addresses: readonly string[],
  username: string,
): Promise<Household> {
  const userId = await addMember(portico, username);
  const application = await notebook(portico);
  return {
    portico,
    caller: new Caller(...addresses),
    userId,
    username,
    application,
    second: await notebook(portico),
    access: (await addSignIn(portico, application, userId)).access,
    personal: (await addPersonalToken(portico, userId)).text,
    bio: '',
    member: false,
    xp: 0,
    posts: [],
  };
}

/** One change or two; of each, whether the very next request obeyed it. */
export type Change = (household: Household) => AsyncGenerator<boolean>;

/** The changes by their names. Before each the server has just answered with what is about to change. */
export const CHANGES: Record<string, Change> = {
  async *'an access token is revoked at the server'(household) {
    const { caller, application } = household;
    const { access } = await freshSignIn(household);
    await caller.post('/api/oauth/revoke', { ...credentials(application), token: access });
    yield (await profile(household, access)).status === 401;
  },
  async *'a sign-in is revoked at the server'(household) {
    const { caller, application } = household;
    const { access, refresh } = await freshSignIn(household);
    await caller.post('/api/oauth/revoke', { ...credentials(application), token: refresh });
    yield (await profile(household, access)).status === 401;
  },
  async *'an access token is revoked beside the server'(household) {
    const { portico } = household;
    const { access, accessKey } = await freshSignIn(household);
    await portico.oauth.writes.revokeAccessToken(accessKey, portico.clock());
    yield (await profile(household, access)).status === 401;
  },
  async *'a member is suspended and activated again'(household) {
    const { userId, portico, access, personal } = household;
    const { writes } = portico.identity;
    const token = Math.random() < 0.5 ? access : personal;
    mustBe(200, await profile(household, token));
    await writes.setStatus(byServer(portico.clock), userId, 'suspended');
    yield (await profile(household, token)).status === 401;
    await writes.setStatus(byServer(portico.clock), userId, 'active');
    yield (await profile(household, token)).status === 200;
  },
  async *'a refresh narrows the access'(household) {
    const { caller, application } = household;
    const { refresh } = await freshSignIn(household);
    const fields = { grant_type: 'refresh_token', refresh_token: refresh, scope: 'profile:read' };
    const { body } = await caller.post('/api/oauth/token', { ...credentials(application), ...fields });
    const refused = await caller.get(POSTS, body.access_token);
    yield refused.status === 403 && (await profile(household, body.access_token)).status === 200;
  },
  async *'a consent is withdrawn'(household) {
    const { portico, userId, second } = household;
    const { access } = await freshSignIn(household, second);
    await withdrawOwnConsent(byMember({ id: userId }, portico.clock), portico.oauth, second.id);
    yield (await profile(household, access)).status === 401;
  },
  async *'a personal token is revoked'(household) {
    const { portico, userId } = household;
    const { id, text } = await addPersonalToken(portico, userId);
    mustBe(200, await profile(household, text));
    await revokeOwnPersonalToken(byMember({ id: userId }, portico.clock), portico.oauth, id);
    yield (await profile(household, text)).status === 401;
  },
  async *'an application is deactivated and activated again'(household) {
    const { portico, application } = household;
    const by = byServer(portico.clock);
    mustBe(200, await profile(household));
    await deactivateClient(by, portico.oauth, application.id);
    yield (await profile(household)).status === 401;
    await activateClient(by, portico.oauth, application.id);
    yield (await profile(household)).status === 200;
  },
  async *'a post is published'(household) {
    const { portico, userId, posts } = household;
    const title = newTitle();
    mustBe(200, await household.caller.get(POSTS, household.access));
    const text = { title, body: 'Words.', categoryId: 1 };
    const writing = { authorId: userId, text, status: 'published' } as const;
    const post = await write(byServer(portico.clock), portico.community, writing);
    if (!('id' in post)) throw new Error('The post was not written.');
    household.posts = [{ id: post.id, title }, ...posts];
    household.xp += XP_FOR_POST;
    yield showsPosts(household);
  },
  async *'a post is edited'(household) {
    const { portico, userId, posts } = household;
    const [newest] = posts;
    if (newest === undefined) return;
    mustBe(200, await household.caller.get(POSTS, household.access));
    newest.title = newTitle();
    const edit = { text: { title: newest.title, body: 'Words.', categoryId: 1 }, version: undefined };
    const by = byMember({ id: userId }, portico.clock);
    await save(by, portico.community, { id: newest.id, status: 'published' }, edit);
    yield showsPosts(household);
  },
  async *'a post is removed'(household) {
    const { portico, userId, posts } = household;
    const [newest, ...others] = posts;
    if (newest === undefined) return;
    mustBe(200, await household.caller.get(POSTS, household.access));
    await removePost(byMember({ id: userId }, portico.clock), portico.community, newest.id);
    household.posts = others;
    household.xp -= XP_FOR_POST;
    yield showsPosts(household);
  },
  async *'a bio is written'(household) {
    mustBe(200, await profile(household));
    household.bio = newTitle();
    const { portico, userId } = household;
    await portico.identity.writes.setBio(byMember({ id: userId }, portico.clock), household.bio);
    yield showsProfile(household);
  },
  async *'a membership begins or ends'(household) {
    const { portico, userId } = household;
    mustBe(200, await profile(household));
    household.member = !household.member;
    const until = household.member ? portico.clock() + DAY : undefined;
    await portico.identity.writes.setMemberUntil(byServer(portico.clock), userId, until);
    yield showsProfile(household);
  },
};

export function profile({ caller, access }: Household, token = access) {
  return caller.get(PROFILE, token);
}

// A token that the server has just honoured.
async function freshSignIn(household: Household, client = household.application) {
  const signIn = await addSignIn(household.portico, client, household.userId);
  mustBe(200, await profile(household, signIn.access));
  return signIn;
}

// The request right after the change is for the posts or for the profile: both must have changed at once.
async function showsPosts(household: Household): Promise<boolean> {
  const { caller, access, posts } = household;
  const profileFirst = Math.random() < 0.5 && !(await showsProfile(household));
  const { body } = await caller.get(POSTS, access);
  const titles = body.items.map(({ title }: { title: string }) => title);
  const isShown =
    body.totalElements === posts.length &&
    titles.join() ===
      posts
        .slice(0, PAGE_SIZE)
        .map(({ title }) => title)
        .join();
  return isShown && !profileFirst && (await showsProfile(household));
}

async function showsProfile(household: Household): Promise<boolean> {
  const { body } = await profile(household);
  return body.bio === household.bio && body.member === household.member && body.xp === household.xp;
}

// Also an answer before a change follows one: the last of those before.
function mustBe(status: number, answer: { status: number }): void {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: a change came late.`);
}

let titles = 0;

function newTitle(): string {
  titles += 1;
  return `Words ${titles}`;
}

function credentials({ id, secret }: RegisteredClient): Record<string, string> {
  return { client_id: id, client_secret: secret };
}
