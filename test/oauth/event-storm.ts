// Many events to receivers that fail, hang, redirect, answer slowly or are killed, by servers that are killed again and
// again. `npm run events` sends 10,000.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { byCommandLine, byMember } from '../../src/audit/doer.ts';
import { compose, type Portico } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { type Clock, HOUR, MINUTE } from '../../src/lib/clock.ts';
import { setEventEndpoint } from '../../src/oauth/event-endpoint.ts';
import { pauseOwnConsent, resumeOwnConsent } from '../../src/oauth/pause.ts';
import { notebook, person } from '../support/people.ts';
import { addSignIn } from '../support/seeding.ts';
import { prepareWithTestKeys } from '../support/signing-keys.ts';
import { type BadReceiver, openBadReceivers, openTraps, startEventServer } from './bad-receivers.ts';

export const PROMISE =
  'each event arrives at least once, in order for each member, and never at a private address';

const EVENTS = Number(process.env.EVENTS || 200);
const MEMBERS = 10;
// The pauses between attempts are shorter by this factor.
const SPEED = 30;
const MOST_KILLS = Math.max(4, EVENTS / 500);
// An event that failed five times would wait for minutes all the same.
const SKIP_EVERY = 2 * MINUTE;
const SKIP = 8 * HOUR;

/** Deliver many events by several machines, and check what the receivers got. */
export async function deliverAll(t: TestContext, databaseUrl: string, machines: number): Promise<void> {
  const epoch = Date.now();
  let skipped = 0;
  const clock = () => epoch + skipped + (Date.now() - epoch) * SPEED;
  const portico = await compose(readConfig({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }), clock);
  t.after(() => portico.close());
  await prepareWithTestKeys(portico);
  const receivers = await openBadReceivers(t);
  const traps = await openTraps(t, receivers);

  const acting = act(portico, clock, receivers);
  const serving = { portico, acting, kills: 0, isOver: false };
  const start = () => startEventServer(t, [databaseUrl, epoch, SPEED, skipped], receivers);
  while (!serving.isOver) {
    const until = Date.now() + SKIP_EVERY;
    await Promise.all(Array.from({ length: machines }, () => serve(serving, start, until)));
    skipped += SKIP;
  }
  await acting;

  const firsts = receivers.flatMap((receiver) => receiver.firstsOfMembers());
  assert.equal(firsts.flat().length, EVENTS);
  for (const ids of firsts)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
  assert.deepEqual(
    receivers.flatMap(({ overlaps }) => overlaps),
    [],
  );
  assert.deepEqual(traps, []);
  const attempts = receivers.reduce((sum, { requests }) => sum + requests, 0);
  const repeats = receivers.reduce((sum, { accepted }) => sum + accepted, 0) - EVENTS;
  const seconds = Math.round((Date.now() - epoch) / 1000);
  t.diagnostic(
    `${EVENTS} events in ${seconds} s: ${attempts} requests arrived, ${repeats} events were accepted again`,
  );
  t.diagnostic(`${serving.kills} kills of ${machines} servers`);
}

interface Serving {
  portico: Portico;
  acting: Promise<void>;
  kills: number;
  /** Whether no event waits, and no other one comes. */
  isOver: boolean;
}

/** Run a server, and kill it again and again, until no event waits or the time is over. */
async function serve(
  serving: Serving,
  start: () => Promise<() => Promise<void>>,
  until: number,
): Promise<void> {
  while (!serving.isOver && Date.now() < until) {
    const kill = await start();
    const killAt = serving.kills < MOST_KILLS ? Date.now() + 1000 + Math.random() * 2000 : until;
    while (!serving.isOver && Date.now() < killAt) {
      await pause(200);
      serving.isOver ||= await isAllDelivered(serving);
    }
    await kill();
    serving.kills += 1;
  }
}

async function isAllDelivered({ portico, acting }: Serving): Promise<boolean> {
  const isActing = await Promise.race([acting.then(() => false), pause(0, true)]);
  const clients = await portico.oauth.reads.clientsBefore(undefined, 1000);
  const states = await Promise.all(
    clients.map(({ client }) => portico.oauth.reads.endpointStates(client.id)),
  );
  assert.ok(states.flat().every(({ givenUp }) => givenUp === 0));
  return !isActing && states.flat().every(({ waiting }) => waiting === 0);
}

/** The members pause and resume all applications. */
async function act(portico: Portico, clock: Clock, receivers: readonly BadReceiver[]): Promise<void> {
  const members = [];
  for (let index = 0; index < MEMBERS; index += 1) members.push(await person(portico, `member${index}`));
  const pairs = [];
  for (const { name, url } of receivers) {
    const client = await notebook(portico, { name });
    await setEventEndpoint(byCommandLine(clock), portico.oauth, client.id, 'webhook', url);
    for (const member of members) {
      await addSignIn(portico, client, member.id);
      pairs.push({ member, client });
    }
  }
  for (let turn = 0; turn < EVENTS / pairs.length; turn += 1) {
    const change = turn % 2 === 0 ? pauseOwnConsent : resumeOwnConsent;
    await Promise.all(
      pairs.map(async ({ member, client }) =>
        assert.ok(await change(byMember(member, clock), portico.oauth, client.id)),
      ),
    );
  }
}
