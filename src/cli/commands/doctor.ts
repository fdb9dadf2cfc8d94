// A check of the whole installation.

import type { Portico } from '../../compose.ts';
import { type Config, problemWithBaseUrl, problemWithTrustedProxies } from '../../config.ts';
import { MINUTE, SECOND, type Timestamp } from '../../lib/clock.ts';
import { SIGNING_ALGORITHMS } from '../../oauth/signing-algorithm.ts';
import { activeKey, prepareSigningKeys } from '../../oauth/signing-key.ts';
import { Checkup, type Step } from '../checkup.ts';
import { command, listText, type Result } from '../command.ts';
import { withPortico } from '../portico.ts';

const doctor = command({
  name: 'doctor',
  summary: 'check settings, database, signing keys, clock and the running server, with a complete sign-in',
  details:
    'The sign-in uses a temporary member and a temporary application. Afterwards the account is closed and the ' +
    'application deactivated. Both stay in the database.',
  options: {},
  async run(_, context) {
    const checkup = new Checkup();
    const config = await context.config();
    const { baseUrl, database } = config;
    await checkup.step(
      'settings',
      () => checkAddress(config),
      () => `${baseUrl}, ${database.kind}`,
    );
    await withPortico(context, async (portico) => {
      await checkup.step('proxy', () => checkProxy(portico));
      await checkup.step('database', () => checkDatabase(portico));
      await checkup.step('signing keys', () => checkKeys(portico));
      const serverTime = await checkup.step(`server at ${baseUrl}/healthz`, () => askHealth(baseUrl));
      await checkup.step('clock', () => checkClock(portico.clock(), serverTime));
      if (serverTime === undefined) return;
      const { tryWholeSignIn } = await import('../trial-sign-in.ts');
      await tryWholeSignIn(portico, checkup);
    });
    return resultOf(checkup);
  },
});

export const doctorCommands = [doctor];

const PATIENCE_MS = 10_000;
// Tokens that are valid for a few minutes tolerate no larger difference.
const MOST_CLOCK_DIFFERENCE = 1 * MINUTE;
// An earlier time is before this program existed.
const EARLIEST: Timestamp = Date.UTC(2026, 0);

interface ServerTime {
  /** Undefined if the answer has no usable Date header. */
  time: Timestamp | undefined;
}

function checkAddress(config: Config): void {
  const problem = problemWithBaseUrl(config);
  if (problem !== undefined) throw new Error(problem);
}

function checkProxy({ config }: Portico): void {
  const problem = problemWithTrustedProxies(config);
  if (problem !== undefined) throw new Error(problem);
}

async function checkDatabase({ config: { database } }: Portico): Promise<void> {
  // An open database is reachable and has the current schema.
  if (database.kind !== 'sqlite') return;
  const { problemWithDatabase } = await import('../../compose.ts');
  const problem = problemWithDatabase(database.path);
  if (problem !== undefined) throw new Error(`${database.path}: ${problem}`);
}

// Loading an active key also checks that its private part is readable.
async function checkKeys({ oauth }: Portico): Promise<void> {
  await prepareSigningKeys(oauth);
  await Promise.all(SIGNING_ALGORITHMS.map((alg) => activeKey(oauth, alg)));
}

/** The server's time, from the Date header of its answer. */
async function askHealth(baseUrl: string): Promise<ServerTime> {
  const answer = await fetch(`${baseUrl}/healthz`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (answer.status !== 200) throw new Error(`The server answers with status ${answer.status}.`);
  const time = Date.parse(answer.headers.get('date') ?? '');
  return { time: Number.isNaN(time) ? undefined : time };
}

function checkClock(now: Timestamp, server: ServerTime | undefined): void {
  if (now < EARLIEST) throw new Error(`This machine's time is wrong: ${new Date(now).toISOString()}.`);
  const difference = Math.abs((server?.time ?? now) - now);
  if (difference <= MOST_CLOCK_DIFFERENCE) return;
  throw new Error(
    `This machine's time differs from the server's by ${Math.round(difference / SECOND)} seconds.`,
  );
}

function resultOf({ ok, steps }: Checkup): Result {
  const failure = steps.find((step) => !step.ok);
  const error = failure && { code: 'check_failed', message: `${failure.name}: ${failure.detail}` };
  return {
    json: { ok, steps, ...(error !== undefined && { error }) },
    text: `${listText(steps, toLine)}\n${ok ? 'Everything works.' : 'Some checks failed.'}`,
    failed: !ok,
  };
}

function toLine({ name, ok, detail }: Step): string {
  return `${ok ? 'ok    ' : 'FAILED'}  ${name}${detail === '' ? '' : `: ${detail}`}`;
}
