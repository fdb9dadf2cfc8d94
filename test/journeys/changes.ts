// Changes that concern a member, each with the request that must see it. They are made by a second process on the same
// database, or by the server itself.

import { byMember, byServer } from '../../src/audit/doer.ts';
import { XP_FOR_POST } from '../../src/community/level.ts';
import { removePost } from '../../src/community/post.ts';
import { save, write } from '../../src/community/writing.ts';
import type { Portico } from '../../src/compose.ts';
import { DAY } from '../../src/lib/clock.ts';
import { activateClient, deactivateClient } from '../../src/oauth/client-status.ts';
import { narrowOwnConsent } from '../../src/oauth/narrowing.ts';
import { pauseOwnConsent, resumeOwnConsent } from '../../src/oauth/pause.ts';
import { revokeOwnPersonalToken } from '../../src/oauth/personal-token.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import { Caller } from '../support/caller.ts';
import { notebook, type RegisteredClient } from '../support/people.ts';
import { addMember, addPersonalToken, addSignIn } from '../support/seeding.ts';

const PROFILE = '/api/open/v1/me';
const PAGE_SIZE = 5;
const POSTS = `/api/open/v1/me/posts?size=${PAGE_SIZE}`;

/** A member with a sign-in and a personal token, two applications, and what the server must return for the member. */
export interface MemberState {
  portico: Portico;
  caller: Caller;
  userId: number;
  username: string;
  application: RegisteredClient;
  /** The application whose consent the tests withdraw. */
  second: RegisteredClient;
  access: string;
  personal: string;
  bio: string;
  member: boolean;
  xp: number;
  /** How many sign-ins were added. */
  signIns: number;
  /** The published posts, newest first. */
  posts: { id: number; title: string }[];
}

export async function openMember(
  portico: Portico,
  addresses: readonly string[],
  username: string,
): Promise<MemberState> {
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
    signIns: 0,
    posts: [],
  };
}

/** Make a change or two. For each, yields whether the next request saw it. */
export type Change = (state: MemberState) => AsyncGenerator<boolean>;

/** The changes by their names. Just before each, the server returns the data that is about to change. */
export const CHANGES: Record<string, Change> = {
  async *'an access token is revoked at the server'(state) {
    const { caller, application } = state;
    const { access } = await freshSignIn(state);
    await caller.post('/api/oauth/revoke', { ...credentials(application), token: access });
    yield (await profile(state, access)).status === 401;
  },
  async *'a sign-in is revoked at the server'(state) {
    const { caller, application } = state;
    const { access, refresh } = await freshSignIn(state);
    await caller.post('/api/oauth/revoke', { ...credentials(application), token: refresh });
    yield (await profile(state, access)).status === 401;
  },
  async *'an access token is revoked by another process'(state) {
    const { portico } = state;
    const { access, accessKey } = await freshSignIn(state);
    await portico.oauth.writes.revokeAccessToken(accessKey, portico.clock());
    yield (await profile(state, access)).status === 401;
  },
  async *'a member is suspended and activated again'(state) {
    const { userId, portico, access, personal } = state;
    const { writes } = portico.identity;
    const token = Math.random() < 0.5 ? access : personal;
    mustBe(200, await profile(state, token));
    await writes.setStatus(byServer(portico.clock), userId, 'suspended');
    yield (await profile(state, token)).status === 401;
    await writes.setStatus(byServer(portico.clock), userId, 'active');
    yield (await profile(state, token)).status === 200;
  },
  async *'a refresh narrows the access'(state) {
    const { caller, application } = state;
    const { refresh } = await freshSignIn(state);
    const fields = { grant_type: 'refresh_token', refresh_token: refresh, scope: 'profile:read' };
    const { body } = await caller.post('/api/oauth/token', { ...credentials(application), ...fields });
    const refused = await caller.get(POSTS, body.access_token);
    yield refused.status === 403 && (await profile(state, body.access_token)).status === 200;
  },
  async *'a consent is withdrawn'(state) {
    const { portico, userId, second } = state;
    const { access } = await freshSignIn(state, second);
    await withdrawOwnConsent(byMember({ id: userId }, portico.clock), portico.oauth, second.id);
    yield (await profile(state, access)).status === 401;
  },
  async *'a consent is narrowed'(state) {
    const { portico, userId, second } = state;
    const { access } = await freshSignIn(state, second);
    const by = byMember({ id: userId }, portico.clock);
    await narrowOwnConsent(by, portico.oauth, second.id, ['profile:read']);
    const refused = await state.caller.get(POSTS, access);
    yield refused.status === 403 && (await profile(state, access)).status === 200;
  },
  async *'a consent is paused and resumed'(state) {
    const { portico, userId, second } = state;
    const { access } = await freshSignIn(state, second);
    const by = byMember({ id: userId }, portico.clock);
    await pauseOwnConsent(by, portico.oauth, second.id);
    yield (await profile(state, access)).status === 401;
    await resumeOwnConsent(by, portico.oauth, second.id);
    yield (await profile(state, access)).status === 200;
  },
  async *'a personal token is revoked'(state) {
    const { portico, userId } = state;
    const { id, text } = await addPersonalToken(portico, userId);
    mustBe(200, await profile(state, text));
    await revokeOwnPersonalToken(byMember({ id: userId }, portico.clock), portico.oauth, id);
    yield (await profile(state, text)).status === 401;
  },
  async *'an application is deactivated and activated again'(state) {
    const { portico, application } = state;
    const by = byServer(portico.clock);
    mustBe(200, await profile(state));
    await deactivateClient(by, portico.oauth, application.id);
    yield (await profile(state)).status === 401;
    await activateClient(by, portico.oauth, application.id);
    yield (await profile(state)).status === 200;
  },
  async *'a post is published'(state) {
    const { portico, userId, posts } = state;
    const title = newTitle();
    mustBe(200, await state.caller.get(POSTS, state.access));
    const text = { title, body: 'Words.', categoryId: 1 };
    const writing = { authorId: userId, text, status: 'published' } as const;
    const post = await write(byServer(portico.clock), portico.community, writing);
    if (!('id' in post)) throw new Error('The post was not written.');
    state.posts = [{ id: post.id, title }, ...posts];
    state.xp += XP_FOR_POST;
    yield showsPosts(state);
  },
  async *'a post is edited'(state) {
    const { portico, userId, posts } = state;
    const [newest] = posts;
    if (newest === undefined) return;
    mustBe(200, await state.caller.get(POSTS, state.access));
    newest.title = newTitle();
    const edit = { text: { title: newest.title, body: 'Words.', categoryId: 1 }, version: undefined };
    const by = byMember({ id: userId }, portico.clock);
    const saved = await save(by, portico.community, { id: newest.id, status: 'published' }, edit);
    if (saved === undefined || !('version' in saved)) throw new Error('The post was not edited.');
    // A member may edit 60 times an hour.
    await portico.community.writes.takeAttemptBack(`edit ${userId}`);
    yield showsPosts(state);
  },
  async *'a post is removed'(state) {
    const { portico, userId, posts } = state;
    const [newest, ...others] = posts;
    if (newest === undefined) return;
    mustBe(200, await state.caller.get(POSTS, state.access));
    await removePost(byMember({ id: userId }, portico.clock), portico.community, newest.id);
    state.posts = others;
    state.xp -= XP_FOR_POST;
    yield showsPosts(state);
  },
  async *'a bio is written'(state) {
    mustBe(200, await profile(state));
    state.bio = newTitle();
    const { portico, userId } = state;
    await portico.identity.writes.setBio(byMember({ id: userId }, portico.clock), state.bio);
    yield showsProfile(state);
  },
  async *'a membership begins or ends'(state) {
    const { portico, userId } = state;
    mustBe(200, await profile(state));
    state.member = !state.member;
    const until = state.member ? portico.clock() + DAY : undefined;
    await portico.identity.writes.setMemberUntil(byServer(portico.clock), userId, until);
    yield showsProfile(state);
  },
};

export function profile({ caller, access }: MemberState, token = access) {
  return caller.get(PROFILE, token);
}

// A member's newest 1,000 sign-ins at an application are valid.
const SIGN_INS_BEFORE_RENEWAL = 500;

// Adds a sign-in whose token the server has just accepted.
async function freshSignIn(state: MemberState, client = state.application) {
  state.signIns += 1;
  if (state.signIns % SIGN_INS_BEFORE_RENEWAL === 0) {
    state.access = (await addSignIn(state.portico, state.application, state.userId)).access;
  }
  const signIn = await addSignIn(state.portico, client, state.userId);
  mustBe(200, await profile(state, signIn.access));
  return signIn;
}

// The first request after the change is for the posts or for the profile, at random. Both must have changed at once.
async function showsPosts(state: MemberState): Promise<boolean> {
  const { caller, access, posts } = state;
  const profileFirst = Math.random() < 0.5 && !(await showsProfile(state));
  const { body } = await caller.get(POSTS, access);
  const titles = body.items.map(({ title }: { title: string }) => title);
  const isShown =
    body.totalElements === posts.length &&
    titles.join() ===
      posts
        .slice(0, PAGE_SIZE)
        .map(({ title }) => title)
        .join();
  return isShown && !profileFirst && (await showsProfile(state));
}

async function showsProfile(state: MemberState): Promise<boolean> {
  const { body } = await profile(state);
  return body.bio === state.bio && body.member === state.member && body.xp === state.xp;
}

// A response before a change is also one after the previous change.
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
