// Applications that use the service at the same time, and a record of what it acknowledged, for tests that break
// something meanwhile. What got a 200 must be true afterwards, and no revoked token may ever be accepted.

import { setTimeout as pause } from 'node:timers/promises';
import type { Portico } from '../../src/compose.ts';
import { type Answer, Caller } from '../support/caller.ts';
import { notebook, type RegisteredClient } from '../support/people.ts';
import { type Account, openAccount, type SignIn } from './traffic-accounts.ts';

const PROFILE = '/api/open/v1/me';
const REVOKE = '/api/oauth/revoke';
const TOKEN = '/api/oauth/token';
const PAUSE_AFTER_FAILURE_MS = 20;
/** Tokens that are tried again after their revocation are chosen from this many newest ones. */
const RECENT = 100;
// A code is not sent if it could expire before the service reads it.
const LONGEST_PAUSE_MS = 35_000;

export interface Tally {
  requests: number;
  /** How many requests failed, by kind of failure. */
  failures: Record<string, number>;
  /** Answers that were wrong. */
  wrong: string[];
  acknowledged: Record<'sign-ins' | 'refreshes' | 'revocations' | 'reads' | 'refusals', number>;
  /** The longest time without a correct answer to any caller, in milliseconds. */
  longestSilence: number;
  /** The longest time that a caller waited for a correct answer, in milliseconds. */
  slowest: number;
}

export interface TrafficOptions {
  callers: number;
  /** How many sign-ins and codes each caller has at the beginning. */
  each: number;
  /** How many access tokens there are that no caller uses. */
  spare?: number;
  /** Whether a 503 means that nothing has happened. It doesn't if the answer to a commit can get lost. */
  is503WithoutEffect: boolean;
}

export interface Traffic {
  tally: Tally;
  client: RegisteredClient;
  /** Valid access tokens that no caller uses. */
  spare: string[];
  start(): void;
  /** Stop, and check through the service that everything is true that it acknowledged. */
  settle(): Promise<void>;
  close(): void;
}

/** Add a member with sign-ins for each caller. Each caller uses one of the addresses. */
export async function prepareTraffic(
  portico: Portico,
  addresses: readonly string[],
  { callers, each, spare = 200, is503WithoutEffect }: TrafficOptions,
): Promise<Traffic> {
  const client = await notebook(portico);
  const accounts = await Promise.all(
    Array.from({ length: callers }, (_, index) => openAccount(portico, client, `member-${index}`, each)),
  );
  const spares = await openAccount(portico, client, 'bystander', spare);
  const apiCallers = accounts.map((_, index) => new Caller(addresses[index % addresses.length] ?? ''));
  const revoked: string[] = [];
  const revokedRefresh: { account: Account; token: string }[] = [];
  const redeemed: { account: Account; code: string }[] = [];
  const acknowledged = { 'sign-ins': 0, refreshes: 0, revocations: 0, reads: 0, refusals: 0 };
  const tally: Tally = {
    requests: 0,
    failures: {},
    wrong: [],
    acknowledged,
    longestSilence: 0,
    slowest: 0,
  };
  let lastCorrectAt = performance.now();
  let isOver = false;
  let running: Promise<unknown> = Promise.resolve();

  /** Send a request and count how it ended. Returns its answer, or what is known about its failure. */
  async function send(ask: () => Promise<Answer>): Promise<Answer | 'not sent' | 'unknown'> {
    tally.requests += 1;
    const start = performance.now();
    try {
      const answer = await ask();
      if (answer.status < 500) {
        const now = performance.now();
        tally.longestSilence = Math.max(tally.longestSilence, now - lastCorrectAt);
        tally.slowest = Math.max(tally.slowest, now - start);
        lastCorrectAt = now;
        return answer;
      }
      const isComplete = answer.status !== 503 || Number(answer.headers['retry-after']) > 0;
      fail(isComplete ? `${answer.status}` : '503 without Retry-After');
      return answer.status === 503 && is503WithoutEffect ? 'not sent' : 'unknown';
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      fail(code);
      return code === 'ECONNREFUSED' ? 'not sent' : 'unknown';
    }
  }

  function fail(kind: string): void {
    tally.failures[kind] = (tally.failures[kind] ?? 0) + 1;
  }

  function expect(what: string, answer: Answer, status: number): boolean {
    if (answer.status === status) return true;
    tally.wrong.push(`${what}: ${answer.status} instead of ${status} ${JSON.stringify(answer.body)}`);
    return false;
  }

  function post(caller: Caller, account: Account, path: string, fields: Record<string, string>) {
    const credentials = { client_id: account.client.id, client_secret: account.client.secret };
    return send(() => caller.post(path, { ...credentials, ...fields }));
  }

  async function exchange(caller: Caller, account: Account): Promise<boolean> {
    const code = account.codes.pop();
    if (code === undefined || code.expiresAt < Date.now() + LONGEST_PAUSE_MS) return true;
    const answer = await redeem(caller, account, code.text);
    // If the tokens never arrived, no one can use them.
    if (typeof answer === 'string') return false;
    if (!expect('a code is redeemed', answer, 200)) return true;
    acknowledged['sign-ins'] += 1;
    redeemed.push({ account, code: code.text });
    const { access_token: access, refresh_token: refresh } = answer.body;
    account.signIns.push({ access: [access], refresh, spent: [] });
    return true;
  }

  function redeem(caller: Caller, account: Account, code: string) {
    const { redirectUri } = account.client;
    return post(caller, account, TOKEN, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
    });
  }

  async function refresh(caller: Caller, account: Account, signIn: SignIn): Promise<boolean> {
    signIn.doubt = 'refresh';
    const fields = { grant_type: 'refresh_token', refresh_token: signIn.refresh };
    const answer = await post(caller, account, TOKEN, fields);
    if (answer === 'unknown') return false;
    delete signIn.doubt;
    if (answer === 'not sent') return false;
    if (!expect('a sign-in is refreshed', answer, 200)) return true;
    acknowledged.refreshes += 1;
    signIn.spent.push(signIn.refresh);
    signIn.refresh = answer.body.refresh_token;
    signIn.access.push(answer.body.access_token);
    return true;
  }

  async function revokeAccess(caller: Caller, account: Account, signIn: SignIn): Promise<boolean> {
    const token = signIn.access.shift();
    if (token === undefined) return true;
    Object.assign(signIn, { doubt: 'revoke access', doubtful: token });
    const answer = await post(caller, account, REVOKE, { token });
    if (answer === 'unknown') return false;
    delete signIn.doubt;
    if (answer === 'not sent') {
      signIn.access.unshift(token);
      return false;
    }
    if (!expect('an access token is revoked', answer, 200)) return true;
    acknowledged.revocations += 1;
    revoked.push(token);
    return true;
  }

  async function revokeAll(caller: Caller, account: Account, signIn: SignIn): Promise<boolean> {
    signIn.doubt = 'revoke all';
    const answer = await post(caller, account, REVOKE, { token: signIn.refresh });
    if (answer === 'unknown') return false;
    delete signIn.doubt;
    if (answer === 'not sent') return false;
    if (!expect('a sign-in is revoked', answer, 200)) return true;
    acknowledged.revocations += 1;
    account.signIns.splice(account.signIns.indexOf(signIn), 1);
    revoked.push(...signIn.access);
    revokedRefresh.push({ account, token: signIn.refresh });
    return true;
  }

  async function read(caller: Caller, token: string | undefined, isLive: boolean): Promise<boolean> {
    if (token === undefined) return true;
    const answer = await send(() => caller.get(PROFILE, token));
    if (typeof answer === 'string') return false;
    const what = isLive ? 'a live token is presented' : 'a revoked token is presented';
    if (expect(what, answer, isLive ? 200 : 401)) acknowledged[isLive ? 'reads' : 'refusals'] += 1;
    return true;
  }

  async function step(caller: Caller, account: Account): Promise<boolean> {
    const signIns = account.signIns.filter(({ doubt }) => doubt === undefined);
    const signIn = signIns[Math.floor(Math.random() * signIns.length)];
    const dice = Math.random();
    if (dice < 0.15 || signIn === undefined) {
      const recent = revoked.slice(-RECENT);
      return read(caller, recent[Math.floor(Math.random() * recent.length)], false);
    }
    if (dice < 0.25) return exchange(caller, account);
    if (dice < 0.45) return refresh(caller, account, signIn);
    if (dice < 0.55) return revokeAccess(caller, account, signIn);
    if (dice < 0.58) return revokeAll(caller, account, signIn);
    return read(caller, signIn.access.at(-1), true);
  }

  async function run(caller: Caller, account: Account): Promise<void> {
    while (!isOver) {
      const isAnswered = await step(caller, account);
      // Lets the event loop turn, even when there is nothing left to send.
      await pause(isAnswered ? 0 : PAUSE_AFTER_FAILURE_MS);
    }
  }

  /** Repeat a request that got no answer. It may have had its effect or not; any other result is wrong. */
  async function resolveDoubt(caller: Caller, account: Account, signIn: SignIn): Promise<void> {
    const { doubt, doubtful } = signIn;
    if (doubt === undefined) return;
    delete signIn.doubt;
    if (doubt === 'revoke all') return void (await revokeAll(caller, account, signIn));
    if (doubt === 'revoke access') {
      signIn.access.unshift(doubtful ?? '');
      return void (await revokeAccess(caller, account, signIn));
    }
    const fields = { grant_type: 'refresh_token', refresh_token: signIn.refresh };
    const answer = await post(caller, account, TOKEN, fields);
    if (typeof answer === 'string') return;
    const hadEffect = answer.status === 400;
    if (!hadEffect && expect('a refresh that got no answer is repeated', answer, 200)) {
      signIn.refresh = answer.body.refresh_token;
    }
    // The new token never arrived, so the sign-in can't go on.
    if (hadEffect) account.signIns.splice(account.signIns.indexOf(signIn), 1);
  }

  async function settleAccount(caller: Caller, account: Account): Promise<void> {
    for (const signIn of [...account.signIns]) await resolveDoubt(caller, account, signIn);
    for (const signIn of account.signIns) {
      for (const token of signIn.access) await read(caller, token, true);
      await refresh(caller, account, signIn);
      await refresh(caller, account, signIn);
      // Only the newest token is valid: earlier ones are refused, and the last of them ends the sign-in.
      for (const token of signIn.spent.slice(-3)) await refuseRefresh(caller, account, token);
    }
  }

  async function refuseRefresh(caller: Caller, account: Account, token: string): Promise<void> {
    const answer = await post(caller, account, TOKEN, { grant_type: 'refresh_token', refresh_token: token });
    if (typeof answer !== 'string') expect('an earlier refresh token is presented', answer, 400);
  }

  return {
    tally,
    client,
    spare: spares.signIns.flatMap(({ access }) => access),
    start() {
      lastCorrectAt = performance.now();
      running = Promise.all(apiCallers.map((caller, index) => run(caller, accounts[index] as Account)));
    },
    async settle() {
      isOver = true;
      await running;
      const failures = JSON.stringify(tally.failures);
      await Promise.all(apiCallers.map((caller, index) => settleAccount(caller, accounts[index] as Account)));
      const [caller] = apiCallers;
      if (caller === undefined) return;
      for (const token of revoked) await read(caller, token, false);
      for (const { account, token } of revokedRefresh) await refuseRefresh(caller, account, token);
      // At the end, because a code that is presented again ends its sign-in.
      for (const { account, code } of redeemed) {
        const answer = await redeem(caller, account, code);
        if (typeof answer !== 'string') expect('a redeemed code is presented again', answer, 400);
      }
      const failuresNow = JSON.stringify(tally.failures);
      if (failuresNow !== failures)
        tally.wrong.push(`not all could be checked: ${failures} → ${failuresNow}`);
    },
    close() {
      for (const caller of apiCallers) caller.close();
    },
  };
}
