// The server never returns outdated data: even under load, the request after a change sees the change.
// The change is made by the server itself, by another worker, or by an operator's process.
// `EXACTNESS_CHANGES` is the number of changes in each deployment; `npm run exactness` makes 100,000.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Portico } from '../../src/compose.ts';
import type { TestScope } from '../support/databases.ts';
import { type Deployment, openDeployment, withoutDeployment } from '../support/deployments.ts';
import { addPersonalToken, addSignIn } from '../support/seeding.ts';
import { CHANGES, type MemberState, openMember, profile } from './changes.ts';
import { indexes } from './races.ts';

const CHANGE_COUNT = Number(process.env.EXACTNESS_CHANGES || 1000);
// The changes to one member are made one after another, those to different members at once.
const MEMBERS = 16;
const BACKGROUND_CONNECTIONS = 4;
const BACKGROUND_PAUSE_MS = 2;

// With two workers or machines, each member calls them in turn, over separate connections.
for (const kind of ['sqlite', 'two workers', 'postgres', 'two machines'] as const) {
  describe(`The request that follows a change, on ${kind}`, { skip: withoutDeployment(kind) }, () => {
    const ends: (() => void | Promise<void>)[] = [];
    const scope: TestScope = { after: (end) => void ends.push(end) };
    let deployment: Deployment;
    let portico: Portico;

    before(async () => {
      deployment = await openDeployment(kind, scope, {
        LOG_LEVEL: 'warn',
        RATE_LIMIT_PER_MINUTE: '1000000000',
        TOKEN_RATE_LIMIT_PER_MINUTE: '1000000000',
      });
      // This process uses the same database directly, as an operator's command does.
      portico = deployment.portico;
    });
    after(async () => {
      for (const end of ends.reverse()) await end();
    });

    async function open(username: string): Promise<MemberState> {
      const state = await openMember(portico, deployment.addresses, username);
      ends.push(() => state.caller.close());
      return state;
    }

    test(`sees it: none of ${CHANGE_COUNT} changes in random order is late`, async (t) => {
      const background = startBackground(
        await Promise.all(indexes(BACKGROUND_CONNECTIONS).map((index) => open(`reader-${index}`))),
      );
      const states = await Promise.all(indexes(MEMBERS).map((index) => open(`writer-${index}`)));
      const counts: Record<string, number> = {};
      const late: string[] = [];
      let changes = 0;

      async function changeAll(state: MemberState): Promise<void> {
        const names = Object.keys(CHANGES);
        while (changes < CHANGE_COUNT) {
          const name = names[Math.floor(Math.random() * names.length)] ?? '';
          for await (const isSeen of CHANGES[name]?.(state) ?? []) {
            changes += 1;
            counts[name] = (counts[name] ?? 0) + 1;
            if (!isSeen) late.push(`${name} (change ${changes})`);
          }
        }
      }
      await Promise.all(states.map(changeAll)).finally(() => background.stop());

      t.diagnostic(`${changes} changes, ${late.length} late; ${background.right} reads beside them`);
      assert.deepEqual(late, []);
      assert.ok(changes >= CHANGE_COUNT);
      assert.deepEqual(Object.keys(counts).sort(), Object.keys(CHANGES).sort());
      assert.equal(background.wrong, 0);
      assert.ok(background.right > CHANGE_COUNT / 10, `${background.right} requests in the background`);
    });

    test('sees the operator’s commands', async () => {
      const state = await open('alice');
      const { access, application, second, userId } = state;
      const personal = await addPersonalToken(portico, userId);
      const { access: third } = await addSignIn(portico, application, userId);
      const { access: other } = await addSignIn(portico, second, userId);
      const statuses = async (...tokens: string[]) => {
        const answers = [];
        for (const token of tokens) answers.push((await profile(state, token)).status);
        return answers;
      };
      assert.deepEqual(await statuses(access, third, other, personal.text), [200, 200, 200, 200]);
      const alice = ['--username', 'alice'];

      await deployment.command('user', 'set-status', ...alice, '--status', 'suspended');
      assert.deepEqual(await statuses(access, personal.text), [401, 401]);
      await deployment.command('user', 'set-status', ...alice, '--status', 'active');
      assert.deepEqual(await statuses(access, personal.text), [200, 200]);
      await deployment.command('user', 'set-membership', ...alice, '--until', 'never');
      assert.equal((await profile(state)).body.member, true);
      await deployment.command('token', 'revoke', '--id', String(personal.id));
      assert.deepEqual(await statuses(personal.text, access), [401, 200]);
      await deployment.command('token', 'revoke', '--token', third);
      assert.deepEqual(await statuses(third, access), [401, 200]);
      await deployment.command('consent', 'withdraw', ...alice, '--client-id', second.id);
      assert.deepEqual(await statuses(other, access), [401, 200]);
      await deployment.command('client', 'deactivate', '--client-id', application.id);
      assert.deepEqual(await statuses(access, state.personal), [401, 200]);
      await deployment.command('client', 'activate', '--client-id', application.id);
      assert.deepEqual(await statuses(access), [200]);
    });
  });
}

/** Keep the server busy with requests of members for whom nothing changes, until it is stopped. */
function startBackground(readers: readonly MemberState[]) {
  let isOver = false;
  const tally = { right: 0, wrong: 0, stop };

  async function read({ caller, access, username }: MemberState): Promise<void> {
    while (!isOver) {
      const me = await caller.get('/api/open/v1/me', access);
      const posts = await caller.get('/api/open/v1/me/posts', access);
      const isRight = me.body.username === username && posts.body.totalElements === 0;
      tally[isRight ? 'right' : 'wrong'] += 1;
      await pause(BACKGROUND_PAUSE_MS);
    }
  }
  const reading = Promise.all(readers.map(read));

  async function stop(): Promise<void> {
    isOver = true;
    await reading;
  }
  return tally;
}
