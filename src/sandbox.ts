// Puts the sandbox together: Portico on a database in memory, with the sets of developers.

import { byServer } from './audit/doer.ts';
import { compose, type Portico } from './compose.ts';
import { type Config, InvalidSetting, readConfig } from './config.ts';
import { sandboxPages } from './http/sandbox/pages.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { processCounter } from './lib/counter.ts';
import type { Log } from './lib/log.ts';
import type { Rounds } from './lib/rounds.ts';
import { randomBase62 } from './lib/secrets.ts';
import { failingServer, setOf } from './sandbox/failing-server.ts';
import { failingCounter } from './sandbox/faults.ts';
import { addMember } from './sandbox/filling.ts';
import { openSets, type Sets } from './sandbox/sets.ts';
import type { Site } from './site/site.ts';
import { start } from './start.ts';
import { eraseMember } from './storage/purge/erased-member.ts';

type Environment = Record<string, string | undefined>;

/** Start the sandbox with these settings, or write in one line why it can't start. Returns when it listens. */
export function startSandbox(environment: Environment): Promise<void> {
  return start(environment, () => sandboxConfig(environment), composeSandbox);
}

/** Read the settings of the sandbox. Throws `InvalidSetting`. */
export function sandboxConfig(environment: Environment): Config {
  // These would be the settings of the community, from its file .env.
  if (environment.SANDBOX_URL) {
    throw new InvalidSetting(
      'SANDBOX_URL: is a setting of the community; start the sandbox with settings of its own, in another folder',
    );
  }
  const port = environment.PORT || '3100';
  return readConfig({
    ...environment,
    PORT: port,
    BASE_URL: environment.BASE_URL || `http://localhost:${port}`,
    SITE_NAME: environment.SITE_NAME || 'Sandbox',
    ...Object.fromEntries(NEVER_USED.map((name) => [name, undefined])),
    DATABASE_URL: 'file::memory:',
    SIGN_UP: 'closed',
    WORKERS: '1',
  });
}

// The sandbox keeps nothing, and sends nothing.
const NEVER_USED = [
  'DATABASE_URL_FILE',
  'REDIS_URL',
  'REDIS_URL_FILE',
  'SMTP_URL',
  'SMTP_URL_FILE',
  'BACKUP_TO',
  'BACKUP_EVERY',
  'BREACHED_PASSWORDS_URL',
  'GITHUB_SCANNING_KEYS',
  'FILES_URL',
  'FILES_SECRET_FILE',
  'EARLIER_FILES_URL',
  'EARLIER_FILES_SECRET_FILE',
];

/** Connect the modules as `compose` does, and the sets with them. */
export async function composeSandbox(
  config: Config,
  clock: Clock = systemClock,
  log?: Log,
): Promise<Portico & { sets: Sets }> {
  const counter = failingCounter(processCounter(clock), (counted) => setOf(portico.oauth, sets, counted));
  const portico: Portico = await compose(config, clock, log, counter);
  const sets = openSets({ ...portico, erase: (userIds) => eraseAll(portico, userIds) });
  return {
    ...portico,
    sets,
    async prepare() {
      await portico.prepare();
      await addOperator(portico);
    },
    app: () =>
      portico.app({
        parts: {
          oauth: failingServer(portico.oauth, sets),
          documents: { refresh: async () => undefined },
          site: sandboxSite(portico),
          sendMail: async () => {},
        },
        pages: (parts) => [sandboxPages({ ...parts, sets })],
      }),
    startMailing: () => IDLE,
    startEvents: () => IDLE,
    async purge() {
      return (await sets.endDue()) + (await portico.purge());
    },
  };
}

async function eraseAll(portico: Portico, userIds: readonly number[]): Promise<void> {
  // What waits in memory would be written later, about members who are gone.
  await portico.mergeDiary();
  await portico.numbers.flush();
  await portico.inspector.flush();
  for (const id of userIds) await eraseMember(portico.database, id);
}

const IDLE: Rounds = { wake() {}, async stop() {} };

// Nobody knows the password. Without an operator, the pages would ask to be set up.
async function addOperator({ identity, clock }: Portico): Promise<void> {
  const operator = { username: 'sandbox', password: randomBase62(40), isOperator: true };
  await addMember(byServer(clock), identity, operator);
}

// Posts and members are shown to those who are signed in, and search engines are kept away.
function sandboxSite({ site }: Portico): Site {
  return { ...site, isSandbox: true, defaults: { ...site.defaults, reading: 'members' } };
}
