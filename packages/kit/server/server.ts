// The community of the kit: Portico on a database in memory, with a clock and faults that a test controls. It does what
// the messages of its parent process say, and ends with it.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { byServer } from '../../../src/audit/doer.ts';
import { compose } from '../../../src/compose.ts';
import { readConfig } from '../../../src/config.ts';
import { listen } from '../../../src/http/server.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { processCounter } from '../../../src/lib/counter.ts';
import { registerClient } from '../../../src/oauth/client.ts';
import { withdrawConsent } from '../../../src/oauth/withdrawal.ts';
import { failingCounter } from '../../../src/sandbox/faults.ts';
import { addMember, publish, replaceKeys } from '../../../src/sandbox/filling.ts';
import type { Acts, Request, Response } from '../src/acts.ts';
import { openKitFaults, withTokenFaults } from './faults.ts';
import { answerAuthorization } from './member-browser.ts';

const PASSWORD = 'a long walk in the rain';

let shift = 0;
const clock = () => systemClock() + shift;
const faults = openKitFaults();
const port = await freePort();
const config = readConfig({
  HOST: '127.0.0.1',
  PORT: String(port),
  BASE_URL: `http://127.0.0.1:${port}`,
  SITE_NAME: 'Portico kit',
  DATABASE_URL: 'file::memory:',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_PER_MINUTE: process.argv[2],
});
const counter = failingCounter(processCounter(clock), () => ({ faults }));
const portico = await compose(config, clock, undefined, counter);
await portico.prepare();
await listen(withTokenFaults(portico.app(), faults), config.host, port);

const acts: Acts = {
  async register({ redirectUri, kind = 'public', name = 'Test application' }) {
    const registration = { name, kind, redirectUris: [redirectUri] };
    const { client, secret = '' } = await registerClient(byServer(clock), portico.oauth, registration);
    return { clientId: client.id, clientSecret: secret, redirectUri };
  },
  async addMember(username) {
    await addMember(byServer(clock), portico.identity, { username, password: PASSWORD });
  },
  async publish(username, title, body = 'Some words.') {
    return publish(byServer(clock), portico.community, await idOf(username), { title, body });
  },
  signIn: (authorizationUrl, choice = {}) =>
    answerAuthorization(config.baseUrl, authorizationUrl, PASSWORD, choice),
  async advance(seconds) {
    shift += seconds * 1000;
  },
  async withdrawConsent(username, clientId) {
    const by = byServer(clock);
    if (await withdrawConsent(by, portico.oauth, await idOf(username), clientId)) return;
    throw new Error(`${username} has not allowed the application ${clientId}.`);
  },
  replaceKeys: () => replaceKeys(portico.oauth),
  async failNext(fault, where, times = 1) {
    if (where === 'api' && (fault === 'lost_answer' || fault === 'replayed')) {
      throw new Error(`${fault} is a fault of requests for tokens: failNext('${fault}', 'tokens').`);
    }
    faults.add(where, fault, times);
  },
};

process.on('message', async ({ id, act, words }: Request) => {
  try {
    const work = acts[act] as (...words: unknown[]) => Promise<unknown>;
    say({ id, result: await work(...words) });
  } catch (error) {
    say({ id, error: (error as Error).message });
  }
});
process.once('disconnect', () => process.exit());
say({ id: 0, result: config.baseUrl });

function say(response: Response): void {
  process.send?.(response);
}

async function idOf(username: string): Promise<number> {
  const user = await portico.identity.reads.findUserByName(username);
  if (user === undefined) throw new Error(`There is no member ${username}. Add one with addMember.`);
  return user.id;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
