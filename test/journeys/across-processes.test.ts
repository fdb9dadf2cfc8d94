// Several processes behave like one: from the next request on, all of them see what one of them counted, used up,
// revoked or rotated. Tested with two workers on one file, and with two machines on PostgreSQL and Redis.
// `ROUNDS` and `EXACTNESS_CHANGES` set the number of races and of revocations in each deployment.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeProtectedHeader } from 'jose';
import pg from 'pg';
import { MINUTE } from '../../src/lib/clock.ts';
import { Browser } from '../support/browser.ts';
import { type Answer, Caller } from '../support/caller.ts';
import type { TestScope } from '../support/databases.ts';
import { type Deployment, freshDatabase, openDeployment, withoutDeployment } from '../support/deployments.ts';
import { notebook, pocket, type RegisteredClient } from '../support/people.ts';
import { startProgram } from '../support/program.ts';
import { addCode, addMember, addPersonalToken, addSignIn } from '../support/seeding.ts';
import { atOnce, credentials, indexes, redemptionForm, refreshForm, unexpectedOutcomes } from './races.ts';

const ROUNDS = Number(process.env.ROUNDS || 50);
const REVOCATIONS = Number(process.env.EXACTNESS_CHANGES || 1000);
const PARALLEL_REQUESTS = 32;
// The revocations of one member are made one after another, those of different members at once.
const MEMBERS = 8;

const PROFILE = '/api/open/v1/me';
const POSTS = '/api/open/v1/me/posts';

for (const kind of ['two workers', 'two machines'] as const) {
  describe(`On ${kind}:`, { skip: withoutDeployment(kind) }, () => {
    const ends: (() => void | Promise<void>)[] = [];
    const scope: TestScope = { after: (end) => void ends.push(end) };
    let deployment: Deployment;
    let caller: Caller;
    let all: Caller[];
    let confidential: RegisteredClient;
    let publicClient: RegisteredClient;

    before(async () => {
      // With a database that is ten minutes old: a key is published for a while before it can sign.
      const settings = { LOG_LEVEL: 'warn', TOKEN_RATE_LIMIT_PER_MINUTE: '1000000000' };
      deployment = await openDeployment(kind, scope, settings, Date.now() - 10 * MINUTE);
      caller = newCaller(...deployment.addresses);
      all = [1, 2, 3].flatMap(() => deployment.addresses.map((address) => newCaller(address)));
      confidential = await notebook(deployment.portico);
      publicClient = await pocket(deployment.portico);
    });
    after(async () => {
      for (const end of ends.reverse()) await end();
    });

    function newCaller(...addresses: readonly string[]): Caller {
      const newest = new Caller(...addresses);
      ends.push(() => newest.close());
      return newest;
    }

    /** Send a request to each process. A connection belongs to one worker, so it is sent over several. */
    function everywhere(ask: (caller: Caller) => Promise<Answer>): Promise<Answer[]> {
      return Promise.all(all.map(ask));
    }

    async function statusesOf(path: string, token: string): Promise<number[]> {
      const answers = await everywhere((one) => one.get(path, token));
      return [...new Set(answers.map(({ status }) => status))];
    }

    test('each opens the link for the first operator', async () => {
      const links = [...deployment.output().matchAll(/\S+(\/setup\?token=\S+)/g)].map(
        ([, path = '']) => path,
      );

      assert.equal(links.length, deployment.programs.length);
      for (const address of deployment.addresses) {
        for (const link of links) assert.equal((await new Browser(address).follow(link)).status, 200);
      }
    });

    test('of 200 parallel calls with one token exactly 60 succeed, each with another number of calls left', async () => {
      const userId = await addMember(deployment.portico, 'alice');
      const { access } = await addSignIn(deployment.portico, confidential, userId);
      const { text: personal } = await addPersonalToken(deployment.portico, userId);
      const balanced = newCaller(deployment.url);

      for (const [sender, token] of [
        [caller, access],
        [balanced, personal],
      ] as const) {
        const answers = await atOnce(200, () => sender.get(PROFILE, token));

        const callsLeft = (status: number) =>
          answers
            .filter((answer) => answer.status === status)
            .map(({ headers }) => Number(/;r=(\d+);/.exec(String(headers.ratelimit))?.[1]))
            .sort((a, b) => b - a);
        assert.deepEqual(callsLeft(200), indexes(60).reverse());
        assert.deepEqual(callsLeft(429), Array(140).fill(0));
      }
    });

    test(`one of ${PARALLEL_REQUESTS} requests redeems a code, and the others revoke its tokens, ${ROUNDS} times over`, async () => {
      const userId = await addMember(deployment.portico, 'bob');
      const outcomes = [];

      for (let round = 0; round < ROUNDS; round += 1) {
        const { text: code } = await addCode(deployment.portico, confidential, userId);
        const form = redemptionForm(confidential, code);
        const winners = await winnersOf(() => caller.post('/api/oauth/token', form));
        outcomes.push([winners.length, await statusesWith(winners)].flat());
      }

      assert.deepEqual(unexpectedOutcomes(outcomes, [1, 401]), []);
    });

    test(`one of ${PARALLEL_REQUESTS} requests refreshes, and the others end the sign-in of a public application, ${ROUNDS} times over`, async () => {
      const userId = await addMember(deployment.portico, 'carol');
      const outcomes = [];

      for (let round = 0; round < ROUNDS; round += 1) {
        const { access, refresh } = await addSignIn(deployment.portico, publicClient, userId);
        const form = refreshForm(publicClient, refresh);
        const winners = await winnersOf(() => caller.post('/api/oauth/token', form));
        const before = (await caller.get(PROFILE, access)).status;
        outcomes.push([winners.length, await statusesWith(winners), before].flat());
      }

      assert.deepEqual(unexpectedOutcomes(outcomes, [1, 401, 401]), []);
    });

    test(`one of ${PARALLEL_REQUESTS} requests refreshes, and the sign-in of a confidential application goes on, ${ROUNDS} times over`, async () => {
      const userId = await addMember(deployment.portico, 'dora');
      const outcomes = [];

      for (let round = 0; round < ROUNDS; round += 1) {
        const { refresh } = await addSignIn(deployment.portico, confidential, userId);
        const refreshWith = (token: string) =>
          caller.post('/api/oauth/token', refreshForm(confidential, token));
        const winners = await winnersOf(() => refreshWith(refresh));
        const afterRace = await statusesWith(winners);
        const next = await refreshWith(winners[0]?.body.refresh_token);
        const late = await refreshWith(refresh);
        outcomes.push(
          [winners.length, afterRace, next.status, late.status, await statusesWith([next])].flat(),
        );
      }

      assert.deepEqual(unexpectedOutcomes(outcomes, [1, 200, 200, 400, 401]), []);
    });

    test(`the other process sees a revocation at once: none of ${REVOCATIONS} is late`, async () => {
      const late: string[] = [];
      let count = 0;

      async function revokeInTurn(index: number): Promise<void> {
        const userId = await addMember(deployment.portico, `member-${index}`);
        const ring = [1, 2].flatMap(() => deployment.addresses.map((address) => newCaller(address)));
        for (let turn = 0; count < REVOCATIONS; turn += 1) {
          count += 1;
          const [here, there] = [ring[turn % 4], ring[(turn + 1) % 4]];
          const { access, refresh } = await addSignIn(deployment.portico, confidential, userId);
          const token = turn % 8 < 4 ? access : refresh;
          const before = await there?.get(PROFILE, access);
          await here?.post('/api/oauth/revoke', { ...credentials(confidential), token });
          const after = await there?.get(PROFILE, access);
          if (before?.status !== 200 || after?.status !== 401) {
            late.push(`revocation ${count}: ${before?.status}, then ${after?.status}`);
          }
        }
      }
      await Promise.all(indexes(MEMBERS).map(revokeInTurn));

      assert.deepEqual(late, []);
    });

    test('all see the commands that suspend and reactivate a member', async () => {
      const userId = await addMember(deployment.portico, 'erin');
      const { access } = await addSignIn(deployment.portico, confidential, userId);
      const setStatus = (status: string) =>
        deployment.command('user', 'set-status', '--username', 'erin', '--status', status);

      const statuses = [await statusesOf(PROFILE, access)];
      await setStatus('suspended');
      statuses.push(await statusesOf(PROFILE, access));
      await setStatus('active');
      statuses.push(await statusesOf(PROFILE, access));

      assert.deepEqual(statuses, [[200], [401], [200]]);
    });

    test('all refuse the scopes that a refresh at one of them left out', async () => {
      const userId = await addMember(deployment.portico, 'frank');
      const { access, refresh } = await addSignIn(deployment.portico, confidential, userId);
      const form = { ...refreshForm(confidential, refresh), scope: 'profile:read' };

      const { body } = await caller.post('/api/oauth/token', form);

      assert.deepEqual(await statusesOf(POSTS, access), [200]);
      assert.deepEqual(await statusesOf(POSTS, body.access_token), [403]);
      assert.deepEqual(await statusesOf(PROFILE, body.access_token), [200]);
    });

    test('all sign with the next key after a command has rotated the keys', async () => {
      const userId = await addMember(deployment.portico, 'grace');
      const kidsOfSignIns = async () => {
        const answers = await everywhere(async (one) => {
          const scope = { scopes: ['openid', 'profile:read'], nonce: 'n-0S6' } as const;
          const { text: code } = await addCode(deployment.portico, confidential, userId, scope);
          return one.post('/api/oauth/token', redemptionForm(confidential, code));
        });
        return [...new Set(answers.map(({ body }) => decodeProtectedHeader(body.id_token).kid))];
      };
      const readKeys = () => everywhere((one) => one.get('/.well-known/jwks.json', ''));

      const before = await kidsOfSignIns();
      await readKeys();
      const { rotations } = await deployment.command('keys', 'rotate');
      const after = await kidsOfSignIns();

      assert.equal(before.length, 1);
      // biome-ignore lint/suspicious/noExplicitAny: the JSON of this command
      assert.deepEqual(after, [(rotations as any)[0].kid]);
      assert.notDeepEqual(after, before);
      for (const { body } of await readKeys()) {
        const kids = body.keys.map(({ kid }: { kid: string }) => kid);
        assert.deepEqual([...before, ...after].filter((kid) => kids.includes(kid)).length, 2);
        assert.equal(kids.length, 6);
      }
    });

    /** Use the tokens of these answers at both processes. Returns the statuses: one if the processes agree. */
    async function statusesWith(winners: readonly Answer[]): Promise<number[]> {
      const requests = winners.flatMap(({ body }) =>
        [1, 2].map(() => caller.get(PROFILE, body.access_token)),
      );
      return [...new Set((await Promise.all(requests)).map(({ status }) => status))];
    }
  });

  test(`All of ${kind} start, even at once on a fresh database`, {
    skip: withoutDeployment(kind),
  }, async (t) => {
    const database = await freshDatabase(kind, t);
    const settings = { DATABASE_URL: database, WORKERS: kind === 'two workers' ? '2' : '1' };

    const starting = Promise.all(
      indexes(2).map(async () => {
        const program = await startProgram(settings);
        t.after(() => program.stop());
        await program.opened();
        return program;
      }),
    );
    if (kind === 'two machines') await Promise.race([starting, gather(2, database)]);
    const programs = await starting;

    const keys = [];
    for (const { url } of programs) {
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
      keys.push(await (await fetch(`${url}/.well-known/jwks.json`)).text());
    }
    assert.equal(new Set(keys).size, 1);
  });
}

/** Block the migration until this many processes are waiting for it, then let all of them go at once. */
async function gather(count: number, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    await client.query('BEGIN; CREATE TABLE migrations (name text)');
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await client.query(waiting)).rows.length < count) {
      await pause(20);
      await client.query('SELECT pg_stat_clear_snapshot()');
    }
    await client.query('ROLLBACK');
  } finally {
    await client.end();
  }
}

/** Send the same request many times at once. Returns the successful answers; all others must be refusals. */
async function winnersOf(send: () => Promise<Answer>): Promise<Answer[]> {
  const answers = await atOnce(PARALLEL_REQUESTS, send);
  const refused = answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant');
  const winners = answers.filter(({ status }) => status === 200);
  assert.equal(refused.length + winners.length, PARALLEL_REQUESTS);
  return winners;
}
