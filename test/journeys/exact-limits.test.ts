// Limits are exact while the calls of many tokens are counted together, in one process and by several.
// `ROUNDS` sets the number of rounds, as for the races.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Caller } from '../support/caller.ts';
import { openDeployment, withoutDeployment } from '../support/deployments.ts';
import { notebook } from '../support/people.ts';
import { addMember, addSignIn } from '../support/seeding.ts';
import { atOnce, indexes, unexpectedOutcomes } from './races.ts';

const ROUNDS = Math.ceil(Number(process.env.ROUNDS || 50) / 10);
// All calls at once take fewer connections than one address may have.
const TOKENS = 3;
const CALLS = 80;

for (const kind of ['sqlite', 'two workers', 'two machines'] as const) {
  test(`Of ${CALLS} calls with each of ${TOKENS} tokens, all at once, exactly 60 succeed, ${ROUNDS} times over, on ${kind}`, {
    skip: withoutDeployment(kind),
  }, async (t) => {
    const { portico, addresses } = await openDeployment(kind, t);
    const caller = new Caller(...addresses);
    t.after(() => caller.close());
    const application = await notebook(portico);
    const userId = await addMember(portico, 'alice');
    const outcomes: number[][] = [];

    for (let round = 0; round < ROUNDS; round += 1) {
      const signIns = await atOnce(TOKENS, () => addSignIn(portico, application, userId));
      const statuses = new Map(signIns.map(({ access }) => [access, [] as number[]]));
      await Promise.all(
        indexes(CALLS).flatMap(() =>
          signIns.map(async ({ access }) => {
            statuses.get(access)?.push((await caller.get('/api/open/v1/me', access)).status);
          }),
        ),
      );
      const countOf = (status: number) =>
        [...statuses.values()].map((list) => list.filter((one) => one === status).length);
      outcomes.push([...countOf(200), ...countOf(429)]);
    }

    assert.deepEqual(unexpectedOutcomes(outcomes, [60, 60, 60, 20, 20, 20]), []);
  });
}
