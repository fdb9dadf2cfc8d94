// Refused requests of callers who have many addresses leave few security events, and few lines of the log.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type RefusedRequest, recordRefusal } from '../../src/audit/refused-request.ts';
import { noteRefusal } from '../../src/http/refused-requests.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { processCounter } from '../../src/lib/counter.ts';
import { openLog } from '../../src/lib/log.ts';
import { type App, openApp } from '../support/app.ts';
import { person } from '../support/people.ts';

const forged = (address: string): RefusedRequest => ({
  event: 'access_denied',
  address,
  detail: 'forged_form',
});
const inNetwork = (network: number, subnet: number) => `2001:db8:${network}:${subnet}::/64`;

describe('Refused requests', () => {
  let app: App;
  before(async () => {
    app = await openApp();
  });
  after(() => app.close());

  const recorded = async () => (await app.portico.audit.reads.securityEvents({ limit: 10_000 })).length;

  /** How many of these requests are recorded. */
  async function recordedOf(
    requests: RefusedRequest[],
    counter = processCounter(app.clock.read),
  ): Promise<number> {
    const before = await recorded();
    for (const request of requests) await recordRefusal(app.portico.audit, counter, request);
    return (await recorded()) - before;
  }

  test('are recorded 60 times an hour of each kind from the networks of one /48', async () => {
    const counter = processCounter(app.clock.read);
    const requests = Array.from({ length: 100 }, (_, subnet) => forged(inNetwork(9, subnet + 1)));
    const others: RefusedRequest[] = [
      forged(inNetwork(10, 1)),
      { event: 'client_authentication_failed', address: inNetwork(9, 1) },
    ];

    assert.equal(await recordedOf(requests, counter), 60);
    assert.equal(await recordedOf(others, counter), 2, 'other networks and kinds are counted apart');
    app.clock.advance(HOUR);
    assert.equal(await recordedOf([forged(inNetwork(9, 1))], counter), 1);
  });

  test('are recorded once an hour for each token of a member, whatever else came from the network', async () => {
    const counter = processCounter(app.clock.read);
    const { id: userId } = await person(app.portico, 'owner');
    const { id: other } = await person(app.portico, 'thief');
    const used = Array.from({ length: 100 }, (_, subnet) => forged(inNetwork(9, subnet + 1)));
    const of = (userId: number, subject: string, subnet: number): RefusedRequest => {
      return {
        event: 'access_denied',
        userId,
        subject,
        address: inNetwork(9, subnet),
        detail: 'token_address',
      };
    };
    await recordedOf(used, counter);

    assert.equal(await recordedOf([of(userId, '1', 1), of(userId, '1', 2), of(userId, '2', 3)], counter), 2);
    const many = Array.from({ length: 200 }, (_, number) => of(other, String(number), 1));
    assert.equal(await recordedOf(many, counter), 100);
    assert.equal(await recordedOf([of(userId, '3', 1)], counter), 1, 'each member has as many');
    app.clock.advance(HOUR);
    assert.equal(await recordedOf([of(userId, '1', 1), of(userId, '1', 2)], counter), 2, 'within the limits');
  });

  test('are recorded 60 times an hour of each kind from one IPv4 address', async () => {
    const requests = Array.from({ length: 100 }, (_, number): RefusedRequest => {
      return { event: 'client_authentication_failed', clientId: `app_${number}`, address: '192.0.2.1' };
    });

    assert.equal(await recordedOf(requests), 60);
  });

  test('are recorded 500 times an hour of each kind from strangers together, and those of members apart', async () => {
    const counter = processCounter(app.clock.read);
    const requests = Array.from({ length: 600 }, (_, network) => forged(inNetwork(network + 1, 1)));

    assert.equal(await recordedOf(requests, counter), 500);
    const alice = await person(app.portico, 'alice');
    const ofMember = { ...forged(inNetwork(9, 9)), userId: alice.id };
    assert.equal(await recordedOf([ofMember], counter), 1);
  });

  test('beyond that leave one warning an hour in the log', async () => {
    const lines: string[] = [];
    const stream = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) });
    const parts = {
      audit: app.portico.audit,
      counter: processCounter(app.clock.read),
      log: openLog('info', stream),
    };
    const before = await recorded();
    for (let network = 1; network <= 700; network += 1) noteRefusal(parts, forged(inNetwork(network, 1)));
    // They are recorded in the background, and the warning follows.
    const isDone = async () => (await recorded()) >= before + 500 && lines.length > 0;
    for (let tries = 0; tries < 500 && !(await isDone()); tries += 1) await pause(20);

    assert.equal(await recorded(), before + 500);
    const warnings = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'access_denied');
    assert.deepEqual(
      warnings.map(({ level, msg }) => [level, msg]),
      [[40, 'recorded 500 refused requests of this kind in an hour, and no more until it ends']],
    );
  });
});
