// What an application is answered after each act that takes access away, by every credential and every process. Each
// act is made by another process, on the site or at the command line, and the requests are the first after it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byCommandLine, byMember } from '../../src/audit/doer.ts';
import { askFactorReset } from '../../src/identity/factor-reset.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { narrowOwnConsent } from '../../src/oauth/narrowing.ts';
import { pauseOwnConsent, resumeOwnConsent } from '../../src/oauth/pause.ts';
import { Caller } from '../support/caller.ts';
import { codeAt, STEP } from '../support/codes.ts';
import type { TestScope } from '../support/databases.ts';
import { type Deployment, openDeployment, withoutDeployment } from '../support/deployments.ts';
import { browserOf, PASSWORD } from '../support/people.ts';
import { answerConsent, authorizationRequest } from '../support/relying-party.ts';
import { type Allowed, askTokens, callApi, openAllowed, type Times } from './access-allowed.ts';

interface Expected {
  /** The access token at /me, /me/posts and userinfo; one text if they agree. */
  access: string | { me: string; posts: string; userinfo: string };
  refresh: string;
  code: string;
  /** The member's API token at /me and /me/posts. */
  personal: string;
}

type Act = (allowed: Allowed, deployment: Deployment) => Promise<unknown>;

const ALL = 'openid profile:read posts:read';
const WITHOUT_POSTS = 'openid profile:read';
const UNTOUCHED: Expected = { access: 'ok', refresh: ALL, code: ALL, personal: 'ok' };
const REVOKED: Expected = {
  access: '401 invalid_token: The token was revoked.',
  refresh: '400 invalid_grant: The refresh token was revoked.',
  code: '400 invalid_grant: The authorization code was revoked.',
  personal: 'ok',
};
const EXPIRED: Expected = {
  access: '401 invalid_token: The token has expired.',
  refresh: '400 invalid_grant: The refresh token has expired.',
  code: '400 invalid_grant: The authorization code has expired.',
  personal: 'ok',
};
const UNKNOWN_CLIENT =
  '401 invalid_client: The client_id is not known or not active, or the client_secret is missing or wrong.';
const NARROWED: Expected = {
  access: {
    me: 'ok',
    posts: `403 insufficient_scope: The token lacks the scope posts:read; it has ${WITHOUT_POSTS}.`,
    userinfo: 'ok',
  },
  refresh: WITHOUT_POSTS,
  code: WITHOUT_POSTS,
  personal: 'ok',
};
// Only the sessions end, and with them what would start a new sign-in.
const SIGNED_OUT: Expected = { ...UNTOUCHED, code: REVOKED.code };
const ALSO_API_TOKENS = { personal: '401 invalid_token: The token was revoked.' };

/** Each act, and the answers to the first requests after it. */
const TABLE: readonly (readonly [string, Act, Expected, Partial<Times>?])[] = [
  ['nothing happens', async () => {}, UNTOUCHED],
  ['the member removes the application', removeOnThePage, REVOKED],
  ['an operator withdraws the consent', command('consent', 'withdraw'), REVOKED],
  ['the member takes a scope back', narrow, NARROWED],
  ['the member takes a scope back and allows it again', inTurn(narrow, allowAgain), NARROWED],
  ['the member pauses the application', pause, REVOKED],
  ['the member pauses and resumes it', inTurn(pause, useAll, resume), UNTOUCHED],
  ['the member pauses it and allows its next request', inTurn(pause, useAll, allowAgain), UNTOUCHED],
  ['the member pauses it and removes it', inTurn(pause, removeOnThePage), REVOKED],
  ['the account is suspended', suspend, { ...REVOKED, ...ALSO_API_TOKENS }],
  ['the account is suspended and activated', inTurn(suspend, useAll, setStatus('active')), UNTOUCHED],
  ['the account is closed', setStatus('closed'), { ...REVOKED, ...ALSO_API_TOKENS }],
  // The page lists what can still read the account, and offers to revoke it.
  ['the member changes the password', changePassword, SIGNED_OUT],
  [
    'the member changes the password and revokes all access',
    inTurn(changePassword, revokeAllOnThePage),
    { ...REVOKED, ...ALSO_API_TOKENS },
  ],
  ['the member adds a second factor', addFactor, SIGNED_OUT],
  ['the member removes the second factor', removeFactor, SIGNED_OUT, { hasApp: true }],
  ['an operator removes it, and a day goes by', removeLostFactor, SIGNED_OUT, { hasApp: true }],
  ['an operator signs the member out everywhere', command('user', 'sign-out'), REVOKED],
  [
    'the application is deactivated',
    deactivate,
    {
      access: '401 invalid_token: The application is deactivated.',
      refresh: UNKNOWN_CLIENT,
      code: UNKNOWN_CLIENT,
      personal: 'ok',
    },
  ],
];

const now = Date.now();
// The application got its tokens two minutes ago, and alone they would be valid for longer.
const ISSUED = { issuedAt: now - 2 * MINUTE };
const DAY_THAT_GOES_ON: Times = { duration: '1_day', allowedAt: now - 1 * DAY + HOUR, ...ISSUED };
const DAY_THAT_ENDED: Times = { duration: '1_day', allowedAt: now - 1 * DAY - SECOND, ...ISSUED };
const MONTH_THAT_ENDED: Times = { duration: '30_days', allowedAt: now - 30 * DAY - SECOND, ...ISSUED };
const ONCE: Times = { duration: 'once', allowedAt: now - 2 * MINUTE, ...ISSUED };
const ONCE_LONG_AGO: Times = { duration: 'once', allowedAt: now - HOUR, issuedAt: now - HOUR };

/** What the member chose, and the answers to the requests now. */
const DURATIONS: readonly (readonly [string, Times, Expected])[] = [
  ['one day, and the day goes on', DAY_THAT_GOES_ON, UNTOUCHED],
  ['one day, which ended a second ago', DAY_THAT_ENDED, EXPIRED],
  ['30 days, which ended a second ago', MONTH_THAT_ENDED, EXPIRED],
  ['one sign-in', ONCE, { ...UNTOUCHED, refresh: 'none' }],
  ['one sign-in, an hour ago', ONCE_LONG_AGO, { ...EXPIRED, refresh: 'none' }],
];

for (const kind of ['sqlite', 'two workers', 'two machines'] as const) {
  describe(`The next request, on ${kind}, after`, { skip: withoutDeployment(kind) }, () => {
    const ends: (() => void | Promise<void>)[] = [];
    const scope: TestScope = { after: (end) => void ends.push(end) };
    let deployment: Deployment;
    let count = 0;

    before(async () => {
      deployment = await openDeployment(kind, scope, {
        RATE_LIMIT_PER_MINUTE: '1000000',
        TOKEN_RATE_LIMIT_PER_MINUTE: '1000000',
      });
    });
    after(async () => {
      for (const end of ends.reverse()) await end();
    });

    function open(times: Partial<Times> = {}) {
      count += 1;
      const usual: Times = { duration: 'until_removed', allowedAt: now, issuedAt: now };
      return openAllowed(deployment.portico, `member-${count}`, { ...usual, ...times });
    }

    /** Call every process, over new connections: a connection belongs to one worker. */
    async function everywhere<T>(call: (processes: readonly Caller[]) => Promise<T>): Promise<T> {
      const processes = [1, 2, 3].flatMap(() => deployment.addresses.map((address) => new Caller(address)));
      try {
        return await call(processes);
      } finally {
        for (const process of processes) process.close();
      }
    }

    async function assertAnswers(allowed: Allowed, { access, refresh, code, personal }: Expected) {
      const triple = typeof access === 'string' ? { me: access, posts: access, userinfo: access } : access;

      const [atApi, atTokenEndpoint] = await Promise.all([
        everywhere((processes) => callApi(allowed, processes)),
        everywhere((processes) => askTokens(allowed, processes[count % processes.length] as Caller)),
      ]);

      assert.deepEqual({ ...atApi, ...atTokenEndpoint }, { ...triple, refresh, code, personal });
    }

    for (const [what, act, expected, times] of TABLE) {
      test(what, async () => {
        const allowed = await open(times);
        // Now every process has the tokens in its cache.
        const { personal, ...access } = await everywhere((processes) => callApi(allowed, processes));
        assert.deepEqual(new Set([personal, ...Object.values(access)]), new Set(['ok']));

        await act(allowed, deployment);

        await assertAnswers(allowed, expected);
      });
    }

    for (const [what, times, expected] of DURATIONS) {
      test(`access is allowed for ${what}`, async () => assertAnswers(await open(times), expected));
    }
  });
}

function inTurn(...acts: readonly Act[]): Act {
  return async (allowed, deployment) => {
    for (const act of acts) await act(allowed, deployment);
  };
}

/** Send all credentials, which are refused: that must not use them up. */
async function useAll(allowed: Allowed, { addresses }: Deployment): Promise<void> {
  const process = new Caller(...addresses);
  const { refresh, code } = await askTokens(allowed, process).finally(() => process.close());
  assert.deepEqual([refresh, code], [REVOKED.refresh, REVOKED.code]);
}

function by({ portico, member }: Allowed) {
  return byMember(member, portico.clock);
}

async function narrow(allowed: Allowed): Promise<void> {
  const { portico, client } = allowed;
  const narrowing = await narrowOwnConsent(by(allowed), portico.oauth, client.id, ['profile:read']);
  assert.equal(narrowing.outcome, 'narrowed');
}

async function pause(allowed: Allowed): Promise<void> {
  assert.ok(await pauseOwnConsent(by(allowed), allowed.portico.oauth, allowed.client.id));
}

async function resume(allowed: Allowed): Promise<void> {
  assert.ok(await resumeOwnConsent(by(allowed), allowed.portico.oauth, allowed.client.id));
}

async function allowAgain({ client, member }: Allowed, deployment: Deployment): Promise<void> {
  const browser = await browserOf(deployment, member.username);
  const callback = await answerConsent(browser, authorizationRequest(client));
  assert.ok(callback.searchParams.has('code'));
}

async function removeOnThePage({ client, member }: Allowed, deployment: Deployment): Promise<void> {
  const browser = await browserOf(deployment, member.username);
  const path = `/settings/apps/${client.id}/remove`;
  assert.equal((await browser.submit(await browser.read(path), path)).status, 303);
}

async function changePassword({ member }: Allowed, deployment: Deployment): Promise<void> {
  const browser = await browserOf(deployment, member.username);
  const page = await browser.read('/settings/security');
  const fields = { current: PASSWORD, new_password: NEW_PASSWORD };
  assert.equal((await browser.submit(page, '/settings/security/password', fields)).status, 303);
}

const NEW_PASSWORD = 'another long walk';

async function addFactor({ member }: Allowed, deployment: Deployment): Promise<void> {
  const browser = await browserOf(deployment, member.username);
  await browser.submit(await browser.read('/settings/security'), `${APP}/start`);
  const page = await browser.read(APP);
  const secret = /otpauth:[^"]*secret=([A-Z2-7]+)/.exec(page)?.[1] ?? '';
  assert.equal((await browser.submit(page, APP, { code: codeAt(secret, Date.now()) })).status, 200);
}

const APP = '/settings/security/app';

async function removeFactor({ member, appSecret = '' }: Allowed, deployment: Deployment): Promise<void> {
  const browser = await browserOf(deployment, member.username);
  const page = await browser.read('/login/verify');
  // The present code was used when the app was set up.
  await browser.submit(page, '/login/verify', { code: codeAt(appSecret, Date.now() + STEP) });
  const path = `${APP}/remove`;
  const answer = await browser.submit(await browser.read(path), path);
  assert.equal(answer.headers.get('location'), '/settings/security?done=app_removed');
}

/** Let an operator ask for the removal 24 hours ago. It happens when the member signs in. */
async function removeLostFactor({ portico, member }: Allowed, deployment: Deployment): Promise<void> {
  const user = await portico.identity.reads.findUser(member.id);
  assert.ok(user);
  const reset = await askFactorReset(
    byCommandLine(() => now - 1 * DAY),
    portico.identity,
    user,
  );
  assert.ok('dueAt' in reset);
  const browser = await browserOf(deployment, member.username);
  assert.equal((await browser.open('/settings/security')).status, 200);
}

async function revokeAllOnThePage({ member }: Allowed, deployment: Deployment): Promise<void> {
  const browser = await browserOf(deployment, member.username, 'en', NEW_PASSWORD);
  const path = '/settings/security/access';
  assert.equal((await browser.submit(await browser.read(path), path)).status, 303);
}

function setStatus(status: string): Act {
  return ({ member }, deployment) =>
    deployment.command('user', 'set-status', '--username', member.username, '--status', status);
}

function suspend(allowed: Allowed, deployment: Deployment): Promise<unknown> {
  return setStatus('suspended')(allowed, deployment);
}

function deactivate({ client }: Allowed, deployment: Deployment): Promise<unknown> {
  return deployment.command('client', 'deactivate', '--client-id', client.id);
}

function command(...words: readonly string[]): Act {
  return ({ member, client }, deployment) => {
    const ofClient = words.includes('consent') ? ['--client-id', client.id] : [];
    return deployment.command(...words, '--username', member.username, ...ofClient);
  };
}
