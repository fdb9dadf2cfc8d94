// Delivering events to applications: at least once, and in order for each member and application. A slow or broken
// endpoint delays only its own application.

import { randomInt } from 'node:crypto';
import { DAY, HOUR, MINUTE, SECOND } from '../lib/clock.ts';
import { FetchError } from '../lib/public-fetch.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ApplicationEvent, EndpointKind, EventEndpoint } from './event-store.ts';
import { logoutMessage } from './logout-token.ts';
import { type EventMessage, webhookMessage } from './webhook-message.ts';

// A logout that arrives much later could end a newer sign-in.
const GIVEN_UP_AFTER: Record<EndpointKind, number> = { webhook: 3 * DAY, logout: 1 * HOUR };
/** An endpoint that has accepted nothing for so long is turned off when the next event is given up. */
export const DISABLED_AFTER = 5 * DAY;
const FIRST_PAUSE = 5 * SECOND;
const LONGEST_PAUSE = 8 * HOUR;
// Longer than any attempt takes, so that no other process delivers the same event at the same time.
const CLAIM = 1 * MINUTE;
const MOST_AT_ONCE = 200;
const MOST_AT_ONCE_OF_ENDPOINT = 4;

/** Sends a request and returns the status of the answer. Throws an error that says why there is none. */
export type Send = (message: EventMessage) => Promise<number>;

/** Called for each failed attempt. */
export type TellOfFailedDelivery = (failure: {
  clientId: string;
  kind: EndpointKind;
  attempts: number;
  problem: string;
  outcome: 'postponed' | 'given_up' | 'disabled';
}) => void;

export interface Delivery {
  /** Begins to deliver events that are due. Returns how many. */
  begin(): Promise<number>;
  /** Waits until nothing is in progress. */
  idle(): Promise<void>;
  /** Begins nothing more, and forgets attempts in progress: the next process makes them again. */
  stop(): void;
}

/** Prepare to deliver events. `onDone` is called after each. */
export function openDelivery(
  server: AuthorizationServer,
  send: Send,
  tell: TellOfFailedDelivery,
  onDone: () => void = () => {},
): Delivery {
  const { reads, clock } = server;
  const inProgress = new Map<string, number>();
  // The number of each endpoint's last attempt.
  const lastAttempts = new Map<string, number>();
  let attemptsMade = 0;
  const attempts = new Set<Promise<void>>();
  let isStopped = false;

  async function attempt(endpoint: EventEndpoint, event: ApplicationEvent): Promise<void> {
    const outcome = await attemptOnce(server, endpoint, event, send);
    if (outcome === undefined || isStopped) return;
    const failure = await finish(server, endpoint, event, outcome);
    const { clientId, kind } = endpoint;
    if (failure !== undefined) tell({ clientId, kind, attempts: event.attempts + 1, ...failure });
  }

  function start(endpoint: EventEndpoint, event: ApplicationEvent): void {
    const name = nameOf(endpoint);
    attemptsMade += 1;
    lastAttempts.set(name, attemptsMade);
    inProgress.set(name, (inProgress.get(name) ?? 0) + 1);
    // A write that failed is left: the claim of the event expires, and the attempt is made again.
    const running = attempt(endpoint, event)
      .finally(() => {
        attempts.delete(running);
        inProgress.set(name, (inProgress.get(name) ?? 1) - 1);
      })
      .then(onDone, () => {});
    attempts.add(running);
  }

  return {
    async begin() {
      let begun = 0;
      // Of many slow endpoints, which take all attempts there can be, none is always first.
      const lastOf = (endpoint: EventEndpoint) => lastAttempts.get(nameOf(endpoint)) ?? 0;
      const due = (await reads.endpointsDue(clock())).toSorted((a, b) => lastOf(a) - lastOf(b));
      for (const endpoint of due) {
        // One attempt at a time finds out whether a broken endpoint works again.
        const most = endpoint.failingSince === undefined ? MOST_AT_ONCE_OF_ENDPOINT : 1;
        const free = Math.min(most - (inProgress.get(nameOf(endpoint)) ?? 0), MOST_AT_ONCE - attempts.size);
        if (free <= 0) continue;
        for (const event of await reads.eventsDue(endpoint, clock(), free)) {
          if (isStopped) return begun;
          start(endpoint, event);
          begun += 1;
        }
      }
      return begun;
    },
    async idle() {
      while (attempts.size > 0) await Promise.all(attempts);
    },
    stop() {
      isStopped = true;
    },
  };
}

function nameOf({ clientId, kind }: EventEndpoint): string {
  return `${kind} ${clientId}`;
}

type AttemptOutcome = { isDelivered: true } | { isDelivered: false; problem: string; isGone: boolean };

// Undefined if another process has the event.
async function attemptOnce(
  server: AuthorizationServer,
  endpoint: EventEndpoint,
  event: ApplicationEvent,
  send: Send,
): Promise<AttemptOutcome | undefined> {
  const { writes, clock } = server;
  if (!(await writes.claimEvent(event, clock() + CLAIM))) return undefined;
  const message =
    endpoint.kind === 'webhook'
      ? webhookMessage(endpoint, event, clock())
      : await logoutMessage(server, endpoint, event, clock());
  if (message === undefined) return { isDelivered: true };
  try {
    const status = await send(message);
    if (status >= 200 && status < 300) return { isDelivered: true };
    return { isDelivered: false, problem: `HTTP status ${status}`, isGone: status === 410 };
  } catch (error) {
    return { isDelivered: false, problem: problemOf(error), isGone: false };
  }
}

// One text for both: the developer isn't told which names exist inside the server's network.
function problemOf(error: unknown): string {
  const isUnreached =
    error instanceof FetchError && (error.reason === 'not_public' || error.reason === 'unreachable');
  return isUnreached ? "The address can't be reached on the public internet" : (error as Error).message;
}

async function finish(
  { writes, clock }: AuthorizationServer,
  endpoint: EventEndpoint,
  event: ApplicationEvent,
  outcome: AttemptOutcome,
): Promise<{ problem: string; outcome: 'postponed' | 'given_up' | 'disabled' } | undefined> {
  if (outcome.isDelivered) {
    await writes.removeEvent(event);
    return undefined;
  }
  const { problem } = outcome;
  const at = clock();
  const failure = { event, at, problem };
  const next = at + pauseAfter(event.attempts + 1);
  const isGivenUp = next - event.at > GIVEN_UP_AFTER[event.kind];
  const { failingSince = at } = endpoint;
  // Standard Webhooks: an endpoint that answers 410 Gone wants no more events.
  if (outcome.isGone || (isGivenUp && at - failingSince >= DISABLED_AFTER)) {
    await writes.disableEndpoint(failure);
    return { problem, outcome: 'disabled' };
  }
  if (isGivenUp) {
    await writes.giveUpEvent(failure);
    return { problem, outcome: 'given_up' };
  }
  await writes.postponeEvent(failure, next);
  return { problem, outcome: 'postponed' };
}

// About 5 and 25 seconds, 2, 10 and 50 minutes, 4 hours, then 8. The chance keeps events of one moment apart.
function pauseAfter(attempts: number): number {
  const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 5 ** (attempts - 1));
  return randomInt(0.8 * pause, 1.2 * pause);
}

/** Tell applications of consents that ended by themselves. Returns for how many applications there were some. */
export async function tellOfEndedConsents({ reads, writes, clock }: AuthorizationServer): Promise<number> {
  const ended = await reads.endedConsents(clock());
  for (const one of ended) await writes.addEndsOfConsents(one);
  return ended.length;
}
