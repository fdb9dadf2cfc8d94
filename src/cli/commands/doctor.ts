// Whether everything works, tried for real.

import type { Portico } from '../../compose.ts';
import { MINUTE, SECOND, type Timestamp } from '../../lib/clock.ts';
import { activeKey, prepareSigningKeys, SIGNING_ALGORITHMS } from '../../oauth/signing-key.ts';
import { Checkup, type Step } from '../checkup.ts';
import { command, type Result } from '../command.ts';
import { withPortico } from '../portico.ts';

const doctor = command({
  name: 'doctor',
  summary: 'check settings, database, keys, clock and the running service, with one whole sign-in',
  details:
    'The sign-in uses a temporary member and a temporary application. Afterwards the member is closed and the ' +
    'application deactivated; both stay in the database.',
  options: {},
  async run(_, context) {
    const checkup = new Checkup();
    const { baseUrl, database } = await context.config();
    await checkup.step(
      'settings',
      () => undefined,
      () => `${baseUrl}, ${database.kind}`,
    );
    await withPortico(context, async (portico) => {
      await checkup.step('database', () => checkDatabase(portico));
      await checkup.step('signing keys', () => checkKeys(portico));
      const date = await checkup.step(`service at ${baseUrl}/healthz`, () => askHealth(baseUrl));
      await checkup.step('clock', () => checkClock(portico.clock(), date));
      if (date === undefined) return;
      const { tryWholeSignIn } = await import('../trial-sign-in.ts');
      await tryWholeSignIn(portico, checkup);
    });
    return resultOf(checkup);
  },
});

export const doctorCommands = [doctor];

const PATIENCE_MS = 10_000;
// Tokens that live five minutes forgive no more.
const MOST_CLOCK_DIFFERENCE = 1 * MINUTE;
// This program is not older than that.
const EARLIEST: Timestamp = Date.UTC(2026, 0);

async function checkDatabase({ config: { database } }: Portico): Promise<void> {
  // That it is reachable and migrated is shown by its being open.
  if (database.kind !== 'sqlite') return;
  const { problemWithDatabase } = await import('../../compose.ts');
  const problem = problemWithDatabase(database.path);
  if (problem !== undefined) throw new Error(`${database.path}: ${problem}`);
}

// That the private part can be read is shown by its being imported.
async function checkKeys({ oauth }: Portico): Promise<void> {
  await prepareSigningKeys(oauth);
  await Promise.all(SIGNING_ALGORITHMS.map((alg) => activeKey(oauth, alg)));
}

/** The moment that the service tells; undefined if its answer does not. */
async function askHealth(baseUrl: string): Promise<{ moment: Timestamp | undefined }> {
  const answer = await fetch(`${baseUrl}/healthz`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (answer.status !== 200) throw new Error(`It answers with status ${answer.status}.`);
  const moment = Date.parse(answer.headers.get('date') ?? '');
  return { moment: Number.isNaN(moment) ? undefined : moment };
}

function checkClock(now: Timestamp, service: { moment: Timestamp | undefined } | undefined): void {
  if (now < EARLIEST) throw new Error(`It says ${new Date(now).toISOString()}, which is long past.`);
  const difference = Math.abs((service?.moment ?? now) - now);
  if (difference <= MOST_CLOCK_DIFFERENCE) return;
  throw new Error(`It differs by ${Math.round(difference / SECOND)} seconds from that of the service.`);
}

function resultOf({ ok, steps }: Checkup): Result {
  const failed = steps.find((step) => !step.ok);
  const error = failed && { code: 'check_failed', message: `${failed.name}: ${failed.detail}` };
  return {
    json: { ok, steps, ...(error !== undefined && { error }) },
    text: [...steps.map(toLine), ok ? 'Everything works.' : 'Something is wrong.'].join('\n'),
    failed: !ok,
  };
}

function toLine({ name, ok, detail }: Step): string {
  return `${ok ? 'ok    ' : 'FAILED'}  ${name}${detail === '' ? '' : `: ${detail}`}`;
}
