// Keeping what documents of applications say: each document is read when a member asks for it and it is no longer
// fresh, and only within limits.

import { byServer, type MemberDoer } from '../audit/doer.ts';
import {
  type AttemptReads,
  type AttemptWrites,
  attempted,
  attemptedFrom,
  dailyLimit,
  hourlyLimit,
  type TooFast,
} from '../lib/attempt.ts';
import { DAY, MINUTE, SECOND, type Timestamp } from '../lib/clock.ts';
import { networkAround } from '../lib/network.ts';
import { FetchError, type FetchFailure } from '../lib/public-fetch.ts';
import { BoundedMap } from '../lib/remember.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { firstSecret, NO_MANAGEMENT, newClientKey } from './client.ts';
import { approvalOf, hasNewPlace } from './client-change.ts';
import { checkDocumentUrl, freshFor, readDocument, UnusableDocument } from './client-document.ts';
import { forgetOldUses } from './client-numbers.ts';
import type { ApprovalAfterChange, Client, DescribedClient } from './client-store.ts';
import { NO_INTRODUCTION } from './introduction.ts';
import { isSubset } from './scope.ts';

/** How many of these applications there can be. */
export const MOST_DOCUMENT_CLIENTS = 1000;

// A member connects an assistant a few times a year.
const MOST_NEW_A_DAY = 5;
const MOST_NEW_OF_ADDRESS_A_DAY = 50;
const MOST_NEW_OF_NETWORK_A_DAY = 100;
const MOST_FETCHES_AN_HOUR = 20;
const MOST_FETCHES_FROM_ADDRESS_AN_HOUR = 100;
const MOST_FETCHES_FROM_NETWORK_AN_HOUR = 500;
const MOST_FETCHES_OF_HOST_AN_HOUR = 200;
// Of a known document, whoever asks for it.
const MOST_RENEWALS_AN_HOUR = 30;
const MOST_FETCHES_AT_ONCE = 20;
const PAUSE_WHEN_BUSY = 5 * SECOND;

const FAILURE_PAUSE = 1 * MINUTE;
const MOST_FAILURES_REMEMBERED = 1000;

// A document serves on for so long while its site fails.
const LONGEST_STALE = 1 * DAY;

/** A document as its site sent it. */
export interface FetchedDocument {
  body: Uint8Array;
  cacheControl: string | undefined;
}

/** Fetches a document. Throws `FetchError` or `UnusableDocument`. */
export type FetchDocument = (address: string) => Promise<FetchedDocument>;

/** Why an application can't be used. */
export type DocumentProblem =
  /** `detail` is for its developer. If `isPassing`, the site fails, and the document may be as it was. */
  | { problem: 'unusable'; detail: string; isPassing?: boolean }
  | { problem: 'too_many'; retryAfterSeconds: number }
  /** The community has as many of these applications as it can have. */
  | { problem: 'full' }
  /** Operators deactivated or refused an application of the same host. */
  | { problem: 'refused' };

export interface ClientDocuments {
  /**
   * Make the server know the application at an address as its document describes it now. Undefined if it does, or if
   * there is nothing to read since the application is not accepted.
   */
  refresh(by: MemberDoer, address: string): Promise<DocumentProblem | undefined>;
}

interface Attempts {
  reads: AttemptReads;
  writes: AttemptWrites;
}

/** Prepare to read documents. There is one reading of an address at a time, and a failed one is remembered. */
export function openClientDocuments(
  server: AuthorizationServer,
  attempts: Attempts,
  fetchDocument: FetchDocument,
): ClientDocuments {
  const { reads, clock } = server;
  const inProgress = new Map<string, Promise<DocumentProblem | undefined>>();
  const failures = new BoundedMap<string, { problem: DocumentProblem; until: Timestamp }>(
    MOST_FAILURES_REMEMBERED,
  );

  async function read(
    by: MemberDoer,
    address: string,
    client: Client | undefined,
  ): Promise<DocumentProblem | undefined> {
    let described: DescribedClient;
    let freshUntil: Timestamp;
    try {
      const { body, cacheControl } = await fetchDocument(address);
      described = readDocument(address, body);
      freshUntil = clock() + freshFor(cacheControl);
    } catch (error) {
      if (!(error instanceof FetchError || error instanceof UnusableDocument)) throw error;
      const problem = { problem: 'unusable', detail: error.message, isPassing: isPassing(error) } as const;
      failures.set(address, { problem, until: clock() + FAILURE_PAUSE });
      // In every process, until the document is read again.
      if (client !== undefined && !problem.isPassing) {
        await server.writes.outdateDocument(client.id, clock() - LONGEST_STALE);
      }
      return problem;
    }
    failures.delete(address);
    if (client === undefined) return addClient(server, attempts, by, { address, described, freshUntil });
    const { writes } = server;
    const changed = changesOf(client, described);
    const approval = approvalAfter(client, described, (await server.documentPolicy()) === 'approval');
    await writes.updateDocumentClient(byServer(clock), client, described, freshUntil, changed, approval);
    if (changed.includes('redirectUris')) await forgetOldUses(server, client.id);
    return undefined;
  }

  function start(by: MemberDoer, address: string, client: Client | undefined) {
    const reading = read(by, address, client).finally(() => inProgress.delete(address));
    inProgress.set(address, reading);
    return reading;
  }

  // Apart from the limits of unknown ones, which others can use up.
  async function renew(
    by: MemberDoer,
    address: string,
    client: Client,
  ): Promise<DocumentProblem | undefined> {
    const limit = hourlyLimit(by.at, MOST_RENEWALS_AN_HOUR, 'known document', address);
    const tooFast = await attempted(attempts, limit);
    if (tooFast !== undefined) return { problem: 'too_many', ...tooFast };
    return inProgress.get(address) ?? start(by, address, client);
  }

  return {
    async refresh(by, address) {
      const policy = await server.documentPolicy();
      const client = await reads.findClient(address);
      if (policy === 'off' || (client === undefined && policy === 'known')) return undefined;
      if (client !== undefined && (client.status !== 'active' || isFresh(client, by.at))) return undefined;
      try {
        checkDocumentUrl(address, server.issuer);
      } catch (error) {
        return { problem: 'unusable', detail: (error as UnusableDocument).message };
      }
      const { hostname } = new URL(address);
      if (client === undefined && (await reads.isRefusedHost(hostname))) return { problem: 'refused' };
      const failure = failures.get(address);
      if (failure !== undefined && failure.until > by.at)
        return unlessServing(client, by.at, failure.problem);
      const running = inProgress.get(address);
      if (client !== undefined)
        return unlessServing(client, by.at, await (running ?? renew(by, address, client)));
      if (running !== undefined) return running;
      if (inProgress.size >= MOST_FETCHES_AT_ONCE) {
        return { problem: 'too_many', retryAfterSeconds: PAUSE_WHEN_BUSY / SECOND };
      }
      const tooFast = await countFetch(attempts, by, hostname);
      if (tooFast !== undefined) return { problem: 'too_many', ...tooFast };
      return inProgress.get(address) ?? start(by, address, client);
    },
  };
}

function isFresh({ documentFreshUntil = 0 }: Client, now: Timestamp): boolean {
  return now < documentFreshUntil;
}

/** The problem, unless the document that was read last serves on. What the site itself takes away goes at once. */
function unlessServing(
  client: Client | undefined,
  now: Timestamp,
  problem: DocumentProblem | undefined,
): DocumentProblem | undefined {
  if (client?.documentFreshUntil === undefined || now >= client.documentFreshUntil + LONGEST_STALE)
    return problem;
  const serves = problem?.problem === 'too_many' || (problem?.problem === 'unusable' && problem.isPassing);
  return serves ? undefined : problem;
}

function isPassing(error: FetchError | UnusableDocument): boolean {
  return error instanceof FetchError ? PASSING.has(error.reason) : error.isPassing;
}

const PASSING: ReadonlySet<FetchFailure> = new Set(['unreachable', 'timeout', 'bad_answer']);

async function countFetch(attempts: Attempts, by: MemberDoer, host: string): Promise<TooFast | undefined> {
  const { at, userId, address = '' } = by;
  return (
    (await attempted(attempts, hourlyLimit(at, MOST_FETCHES_AN_HOUR, 'document', userId))) ??
    (await attemptedFrom(attempts, at, 'documents from', {
      address,
      most: MOST_FETCHES_FROM_ADDRESS_AN_HOUR,
      mostOfNetwork: MOST_FETCHES_FROM_NETWORK_AN_HOUR,
    })) ??
    attempted(attempts, hourlyLimit(at, MOST_FETCHES_OF_HOST_AN_HOUR, 'documents of', host))
  );
}

function changesOf(client: Client, described: DescribedClient): (keyof DescribedClient)[] {
  const names = Object.keys(described) as (keyof DescribedClient)[];
  return names.filter((name) => JSON.stringify(described[name]) !== JSON.stringify(client[name]));
}

// The same rule as for registered applications.
function approvalAfter(
  client: Client,
  { claimedName, scopes, redirectUris }: DescribedClient,
  needsApproval: boolean,
): ApprovalAfterChange {
  const isSeen =
    claimedName !== client.claimedName ||
    !isSubset(scopes, client.scopes) ||
    hasNewPlace(redirectUris, client.redirectUris);
  return approvalOf(isSeen, needsApproval);
}

interface NewDocument {
  address: string;
  described: DescribedClient;
  freshUntil: Timestamp;
}

async function addClient(
  server: AuthorizationServer,
  attempts: Attempts,
  by: MemberDoer,
  { address, described, freshUntil }: NewDocument,
): Promise<DocumentProblem | undefined> {
  const { at, userId, address: from = '' } = by;
  const network = networkAround(from);
  const tooFast =
    (await attempted(attempts, dailyLimit(at, MOST_NEW_A_DAY, 'new document', userId))) ??
    (await attempted(attempts, dailyLimit(at, MOST_NEW_OF_ADDRESS_A_DAY, 'new documents from', from))) ??
    (network &&
      (await attempted(attempts, dailyLimit(at, MOST_NEW_OF_NETWORK_A_DAY, 'new documents from', network))));
  if (tooFast) return { problem: 'too_many', ...tooFast };
  const mustWait = (await server.documentPolicy()) === 'approval';
  const client: Client = {
    id: `app_${newClientKey(at)}`,
    name: new URL(address).hostname,
    kind: 'public',
    ownerId: undefined,
    postLogoutRedirectUris: [],
    acceptsMissingStateAndNonce: false,
    idTokenAlg: 'RS256',
    status: mustWait ? 'deactivated' : 'active',
    createdAt: at,
    ...NO_INTRODUCTION,
    ...firstSecret(undefined, at),
    ...NO_MANAGEMENT,
    ...described,
    deactivation: mustWait ? 'approval' : undefined,
    documentUrl: address,
    documentFreshUntil: freshUntil,
  };
  const outcome = await server.writes.addDocumentClient(by, client, MOST_DOCUMENT_CLIENTS);
  if (outcome === 'refused') return { problem: 'refused' };
  return outcome === 'too_many' ? { problem: 'full' } : undefined;
}
