// What `doctor` learns by asking the server at BASE_URL: its version, and what the proxy in front of it changes.

import type { Portico } from '../compose.ts';
import { problemWithTrustedProxies } from '../config.ts';
import { MINUTE, SECOND, type Timestamp } from '../lib/clock.ts';
import { VERSION } from '../lib/version.ts';
import { derivedSecret } from '../oauth/derived-secret.ts';
import { databaseTime, type Probe } from '../operations.ts';
import type { Checkup } from './checkup.ts';

const PROBE_PATH = '/healthz/probe';

const PATIENCE_MS = 10_000;
// Tokens that are valid for a few minutes tolerate no larger difference.
const MOST_CLOCK_DIFFERENCE = 1 * MINUTE;
// An earlier time is before this program existed.
const EARLIEST: Timestamp = Date.UTC(2026, 0);
// A picture of 5 MB, and the form around it.
const LARGEST_UPLOAD = 5 * 1024 * 1024 + 8 * 1024;

/** Check the server. Returns false if it doesn't answer. */
export async function checkServer(portico: Portico, checkup: Checkup): Promise<boolean> {
  const { baseUrl } = portico.config;
  const date = await checkup.step(`server at ${baseUrl}/healthz`, () => askHealth(baseUrl));
  await checkup.step('clock', () => checkClock(portico, date));
  if (date === undefined) {
    const problem = problemWithTrustedProxies(portico.config);
    if (problem !== undefined) checkup.warn('proxy', problem);
    return false;
  }
  // Without keys there is no secret; the check of the keys has said so.
  const secret = await derivedSecret(portico.oauth, 'probe').catch(() => undefined);
  if (secret === undefined) return true;
  const small = await checkup.step('version', () => checkVersion(baseUrl, secret), String);
  await checkup.step('proxy', () => checkProxy(portico, small?.probe), String);
  await checkup.step('largest upload', () => checkUpload(baseUrl, secret), String);
  await checkup.step('security headers', () => checkHeaders(baseUrl));
  return true;
}

/** The server's time, from the Date header of its answer. */
async function askHealth(baseUrl: string): Promise<Timestamp> {
  const answer = await fetch(`${baseUrl}/healthz`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (answer.status !== 200) throw new Error(`it answers with status ${answer.status}`);
  return Date.parse(answer.headers.get('date') ?? '');
}

async function checkClock(portico: Portico, server: Timestamp | undefined): Promise<void> {
  const now = portico.clock();
  if (now < EARLIEST) throw new Error(`This machine's time is wrong: ${new Date(now).toISOString()}.`);
  const before = portico.clock();
  compareClocks(before, await databaseTime(portico), 'database');
  compareClocks(now, server, 'server');
}

function compareClocks(now: Timestamp, other: Timestamp | undefined, whose: string): void {
  const difference = Math.abs((other || now) - now);
  if (difference <= MOST_CLOCK_DIFFERENCE) return;
  throw new Error(
    `This machine's time differs from the ${whose}'s by ${Math.round(difference / SECOND)} seconds.`,
  );
}

interface Asked {
  probe: Probe;
}

async function checkVersion(baseUrl: string, secret: string): Promise<Asked & { toString(): string }> {
  const probe = await ask(baseUrl, secret, '');
  if (probe.version !== VERSION) {
    throw new Error(`the server runs ${probe.version}, and this command is ${VERSION}: restart the server`);
  }
  return { probe, toString: () => `Portico ${VERSION}, Node ${process.versions.node}` };
}

function checkProxy({ config }: Portico, probe: Probe | undefined): string {
  const problem = problemWithTrustedProxies(config);
  if (problem !== undefined) throw new Error(problem);
  if (probe === undefined) return '';
  const { peer, caller, hasForwardedFor, isTrustedProxy } = probe;
  if (hasForwardedFor && !isTrustedProxy) {
    throw new Error(`requests with X-Forwarded-For come from ${peer}, which TRUST_PROXY does not name`);
  }
  if (!hasForwardedFor && config.baseUrl.startsWith('https:')) {
    throw new Error(`the proxy at ${peer} does not send X-Forwarded-For, so all visitors count as one`);
  }
  return hasForwardedFor ? `the proxy at ${peer} passes on the address of this machine, ${caller}` : 'none';
}

async function checkUpload(baseUrl: string, secret: string): Promise<string> {
  const { bytes } = await ask(baseUrl, secret, 'x'.repeat(LARGEST_UPLOAD));
  if (bytes !== LARGEST_UPLOAD) throw new Error(`of ${LARGEST_UPLOAD} bytes, ${bytes} arrived`);
  return 'a picture of 5 MB arrives whole';
}

async function ask(baseUrl: string, secret: string, body: string): Promise<Probe> {
  const answer = await fetch(baseUrl + PROBE_PATH, {
    method: 'POST',
    body,
    headers: { Authorization: `Bearer ${secret}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (answer.status === 413)
    throw new Error('the proxy refuses so large a request (413): raise its limit to 6 MB');
  if (answer.status === 404) {
    throw new Error(
      'the server has another database or version than this command, or the proxy drops Authorization',
    );
  }
  if (answer.status !== 200) throw new Error(`the answer has the status ${answer.status}`);
  return (await answer.json()) as Probe;
}

// A header that a proxy adds as well arrives joined with a comma.
async function checkHeaders(baseUrl: string): Promise<void> {
  const { headers } = await fetch(`${baseUrl}/login`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const expected: Record<string, RegExp> = {
    'Content-Security-Policy': /^default-src 'none'[^,]*$/,
    'X-Content-Type-Options': /^nosniff$/,
    'Referrer-Policy': /^[^,]+$/,
    ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': /^max-age=[1-9][^,]*$/ }),
  };
  for (const [name, pattern] of Object.entries(expected)) {
    const value = headers.get(name);
    if (value === null) throw new Error(`the proxy removes ${name}`);
    if (!pattern.test(value)) throw new Error(`the proxy changes ${name}: ${value}`);
  }
}
