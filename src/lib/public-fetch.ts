// HTTP requests to addresses that strangers choose: only to the public internet, and with a bound on everything that
// the other server sends. The connection goes to the very IP address that was judged.

import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { bodyOf } from './bounded-body.ts';
import { connectBounded } from './bounded-tls.ts';
import { SECOND } from './clock.ts';
import { failureReason } from './failure-reason.ts';
import { isPublicAddress } from './public-address.ts';
import { publicLookup } from './public-lookup.ts';
import { limitChunks } from './small-chunks.ts';

/** Why there is no answer. */
export type FetchFailure =
  /** The text is no address, or the address has a user name or a password. */
  | 'bad_address'
  | 'bad_scheme'
  | 'bad_port'
  /** The host is, or has among its addresses, one that isn't on the public internet. */
  | 'not_public'
  /** The host's name can't be looked up, or no connection can be made. */
  | 'unreachable'
  | 'timeout'
  /** The header or the body exceeds its bound. */
  | 'too_large'
  /** The answer redirects, and redirects are off or there were too many. */
  | 'redirected'
  /** The connection broke, or what came isn't HTTP or can't be decompressed. */
  | 'bad_answer';

/** The message names the host and the cause. It quotes nothing else of the address, which can contain secrets. */
export class FetchError extends Error {
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, message: string) {
    super(message);
    this.name = 'FetchError';
    this.reason = reason;
  }
}

export interface PublicRequest {
  method?: 'GET' | 'POST';
  /** A redirect to another origin doesn't get them. */
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  httpsOnly?: boolean;
  ports?: readonly number[] | 'any';
  /** How many redirects are followed, each judged like the first address. Those of a POST never are. */
  mostRedirects?: number;
  /** Of the body, as sent and as decompressed. */
  mostBytes?: number;
  mostHeaderBytes?: number;
  /** For everything, redirects included, in milliseconds. */
  time?: number;
  /** For each connection, with the lookup of its host, in milliseconds. */
  connectTime?: number;
  /** Replaced by tests, whose servers are on loopback. */
  network?: Partial<Network>;
}

export interface Network {
  lookup: LookupFunction;
  isPublic: (address: string) => boolean;
  /** By default, those of the system. */
  nameServers: readonly string[];
}

export interface PublicAnswer {
  /** Any status, except for a redirect. */
  status: number;
  headers: IncomingHttpHeaders;
  body: Uint8Array;
  /** Where the answer came from, after the redirects. */
  url: string;
}

const DEFAULTS = {
  method: 'GET',
  headers: {},
  httpsOnly: false,
  ports: [80, 443],
  mostRedirects: 0,
  mostBytes: 1_000_000,
  mostHeaderBytes: 16_384,
  time: 20 * SECOND,
  connectTime: 5 * SECOND,
  network: {},
} as const satisfies PublicRequest;

// Answers that only announce another.
const MOST_INFORMATIONAL = 20;
// For certificates, and for what TLS adds.
const BYTES_OF_TLS = 128 * 1024;

type Bounded = PublicRequest & Required<Omit<PublicRequest, 'body'>>;

/** Make a request to a public address. Rejects with a `FetchError`, and with nothing else. */
export async function fetchPublic(address: string, request: PublicRequest = {}): Promise<PublicAnswer> {
  const bounded: Bounded = { ...DEFAULTS, ...request };
  const first = judgedUrl(address, bounded);
  const deadline = AbortSignal.timeout(bounded.time);
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const headers = url.origin === first.origin ? bounded.headers : {};
    const answer = await answerFrom(url, { ...bounded, headers }, deadline);
    if (!('location' in answer)) return answer;
    if (bounded.method !== 'GET' || redirects >= bounded.mostRedirects) {
      const cause = redirects === 0 ? 'redirects to another address' : 'redirects too often';
      throw new FetchError('redirected', `${url.host} ${cause}`);
    }
    url = judgedUrl(answer.location, bounded, url);
  }
}

/** Judge everything about an address that is known before its host's name is looked up. */
function judgedUrl(address: string, { httpsOnly, ports, network }: Bounded, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  const from = base === undefined ? '' : `${base.host} redirects there: `;
  const refuse = (reason: FetchFailure, message: string) => new FetchError(reason, `${from}${message}`);
  if (url === null) throw refuse('bad_address', 'the address is not a URL');
  if (url.protocol !== 'https:' && (httpsOnly || url.protocol !== 'http:')) {
    const expected = httpsOnly ? 'https:' : 'https: or http:';
    const named = url.host || 'the address';
    throw refuse('bad_scheme', `${named} must begin with ${expected}, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('bad_address', `the address of ${url.host} must not have a user name or a password`);
  }
  const port = Number(url.port) || DEFAULT_PORTS[url.protocol] || 0;
  if (ports !== 'any' && !ports.includes(port)) {
    throw refuse('bad_port', `${url.hostname} must be asked on port ${ports.join(' or ')}, not ${port}`);
  }
  const ip = ipOf(url);
  const { isPublic = isPublicAddress } = network;
  if (ip !== undefined && !isPublic(ip)) throw refuse('not_public', notPublic(ip));
  return url;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

function notPublic(host: string): string {
  return `${host} is not on the public internet`;
}

// Node doesn't look up a host that is an IP address. The URL parser has brought every spelling of one into one form.
function ipOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

type Answer = PublicAnswer | { location: string };

function answerFrom(url: URL, bounded: Bounded, deadline: AbortSignal): Promise<Answer> {
  const { method, headers, body, mostBytes, mostHeaderBytes, connectTime, network } = bounded;
  const over = new AbortController();
  return new Promise<Answer>((resolve, reject) => {
    const isTls = url.protocol === 'https:';
    const send = isTls ? requestHttps : requestHttp;
    const lookup = judgingLookup(network, over.signal);
    const request = send(url, {
      method,
      // Without the shared agent, no connection that was judged for another request is used again.
      ...(isTls ? { createConnection: connect } : { agent: false }),
      maxHeaderSize: mostHeaderBytes,
      lookup,
      headers: { 'User-Agent': 'Portico', ...headers, 'Accept-Encoding': 'identity' },
    });
    function connect(): TLSSocket {
      const host = ipOf(url) ?? url.hostname;
      const port = Number(url.port) || 443;
      const onExcess = () => fail(new FetchError('too_large', `${url.host} sends too much`));
      return connectBounded({
        host,
        port,
        lookup,
        mostBytes: mostBytes + mostHeaderBytes + BYTES_OF_TLS,
        onExcess,
      });
    }
    let connected = false;
    const fail = (error: unknown) => {
      request.destroy();
      reject(problemOf(error, url, connected));
    };
    request.on('error', fail);
    const late = () => fail(new FetchError('timeout', `${url.host} does not answer in time`));
    const connecting = setTimeout(late, connectTime);
    if (deadline.aborted) late();
    deadline.addEventListener('abort', late);
    request.once('close', () => {
      over.abort();
      clearTimeout(connecting);
      deadline.removeEventListener('abort', late);
    });
    request.once('socket', (socket) => {
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        connected = true;
        clearTimeout(connecting);
      });
    });
    // Node reads any number of them, one after another, before it looks at the time.
    let informational = 0;
    request.on('information', () => {
      informational += 1;
      if (informational !== MOST_INFORMATIONAL) return;
      fail(new FetchError('bad_answer', `${url.host} announces its answer too often`));
    });
    request.once('response', (response) => {
      limitChunks(response, (socket) => socket.destroy());
      readAnswer(response, url, mostBytes)
        .then(resolve, fail)
        .finally(() => request.destroy());
    });
    request.once('upgrade', (_, socket) => {
      // The request has given it away. Nobody else would close it, or listen for its error.
      socket.on('error', () => undefined).destroy();
      fail(new FetchError('bad_answer', `${url.host} changes the protocol`));
    });
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage, url: URL, mostBytes: number): Promise<Answer> {
  const { statusCode: status = 0, headers } = response;
  if (REDIRECTS.has(status) && headers.location !== undefined) return { location: headers.location };
  const body = await bodyOf(response, mostBytes);
  if (body === 'too_large') {
    throw new FetchError('too_large', `${url.host} sends more than ${mostBytes} bytes`);
  }
  if (body === 'unknown_encoding') {
    throw new FetchError('bad_answer', `${url.host} compresses its answer in a way that is not supported`);
  }
  return { status, headers, body, url: url.href };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

// The addresses that are judged here are the ones that the socket connects to, so a name that is looked up again with
// another answer changes nothing. One address that isn't public is enough to refuse the name.
function judgingLookup(
  { nameServers, lookup, isPublic = isPublicAddress }: Partial<Network>,
  over: AbortSignal,
): LookupFunction {
  const lookUp = lookup ?? publicLookup(over, { nameServers });
  return (host, options, callback) => {
    lookUp(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const [first] = addresses;
      if (first === undefined) return callback(new FetchError('unreachable', `${host} has no address`), '');
      if (!addresses.every(({ address }) => isPublic(address))) {
        return callback(new FetchError('not_public', notPublic(host)), '');
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function problemOf(error: unknown, { host }: URL, connected: boolean): FetchError {
  if (error instanceof FetchError) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ETIMEDOUT') return new FetchError('timeout', `${host} does not answer in time`);
  if (code === 'HPE_HEADER_OVERFLOW')
    return new FetchError('too_large', `${host} sends a header that is too long`);
  if (/^(?:HPE|Z|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_ZSTD)_/.test(code)) {
    return new FetchError('bad_answer', `${host} does not answer in correct HTTP`);
  }
  return new FetchError(connected ? 'bad_answer' : 'unreachable', `${host}: ${failureReason(error)}`);
}
