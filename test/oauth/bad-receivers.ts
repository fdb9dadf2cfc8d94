// For the storm of events: receivers that misbehave, private addresses that nothing may reach, and servers to kill.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { TestScope } from '../support/databases.ts';
import { accept, openReceiver, type Receiver, status } from '../support/event-receiver.ts';

const TRAP = '127.0.0.2';

type Misbehaviour = (request: IncomingMessage, response: ServerResponse, receiver: Receiver) => unknown;

// A killed receiver loses the events of several members at once, so it is killed less often.
const REQUESTS_UNTIL_BAD = 20;
const REQUESTS_UNTIL_KILLED = 60;

// Of these only the slow one accepts the event.
const MISBEHAVIOURS: Record<string, Misbehaviour> = {
  fails: status(500),
  hangs: () => {},
  redirects: status(302, { Location: `http://${TRAP}/` }),
  slow: (request, response) => setTimeout(() => accept(request, response), 100),
  killed: (_, __, receiver) => receiver.kill(50),
};

export interface BadReceiver extends Pick<Receiver, 'url' | 'port'> {
  name: string;
  /** How many requests arrived, and in how many an event was accepted. */
  requests: number;
  accepted: number;
  /** Events that came while another one of the same member was still being answered. */
  overlaps: string[];
  /** For each member the events that were accepted, as numbers, in this order. Without repeated ones. */
  firstsOfMembers(): number[][];
}

/** Open one receiver for each way to misbehave. */
export function openBadReceivers(scope: TestScope): Promise<BadReceiver[]> {
  return Promise.all(
    Object.entries(MISBEHAVIOURS).map(async ([name, misbehave]) =>
      record(name, misbehave, await openReceiver(scope, name)),
    ),
  );
}

function record(name: string, misbehave: Misbehaviour, receiver: Receiver): BadReceiver {
  const { url, port } = receiver;
  const accepted = new Map<string, Set<number>>();
  const beingAnswered = new Set<string>();
  const bad: BadReceiver = {
    name,
    url,
    port,
    requests: 0,
    accepted: 0,
    overlaps: [],
    firstsOfMembers: () => [...accepted.values()].map((ids) => [...ids]),
  };
  receiver.answer = (request, response) => {
    const { headers, body } = receiver.received.shift() ?? { headers: {}, body: '{}' };
    const member: string = JSON.parse(body).data.sub;
    const id = String(headers['webhook-id']);
    bad.requests += 1;
    if (beingAnswered.has(member)) bad.overlaps.push(id);
    beingAnswered.add(member);
    response.once('close', () => beingAnswered.delete(member));
    const isBad = bad.requests % (name === 'killed' ? REQUESTS_UNTIL_KILLED : REQUESTS_UNTIL_BAD) === 3;
    if (!isBad || name === 'slow') {
      bad.accepted += 1;
      accepted.set(member, (accepted.get(member) ?? new Set()).add(Number(id.split('_')[2])));
    }
    if (isBad) misbehave(request, response, receiver);
    else accept(request, response);
  };
  return bad;
}

/** Listen on a private address, on the ports of all receivers. Returns the list of connections. */
export async function openTraps(scope: TestScope, receivers: readonly BadReceiver[]): Promise<string[]> {
  const trapped: string[] = [];
  for (const { name, port } of receivers) {
    const trap = createServer().listen(port, TRAP);
    await once(trap, 'listening');
    trap.on('connection', () => trapped.push(name));
    scope.after(() => void trap.close());
  }
  return trapped;
}

/** Start a process that delivers events to the receivers. Returns a function that kills it. */
export async function startEventServer(
  scope: TestScope,
  options: readonly (string | number)[],
  receivers: readonly BadReceiver[],
): Promise<() => Promise<void>> {
  const ports = Object.fromEntries(receivers.map(({ url, port }) => [new URL(url).hostname, port]));
  const program = join(import.meta.dirname, 'event-server.ts');
  const words = [program, ...options.map(String), JSON.stringify(ports), TRAP];
  const server = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(server, 'exit');
  scope.after(() => void server.kill('SIGKILL'));
  await once(server.stdout, 'data');
  return async () => {
    server.kill('SIGKILL');
    await exit;
  };
}
