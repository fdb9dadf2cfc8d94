// Delivers events of a database until it is killed: `node event-server.ts URL EPOCH SPEED SKIPPED RECEIVERS TRAP`. Its
// clock runs faster, so that pauses are short. Each twentieth lookup of a name leads to a private address.

import type { LookupFunction } from 'node:net';
import { eventSender } from '../../src/background.ts';
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { fetchWith, LOOPBACK, toLoopback } from '../lib/public-server.ts';

const [url = '', epoch = '0', speed = '1', skipped = '0', receivers = '{}', trap = ''] =
  process.argv.slice(2);
const ports: Record<string, number> = JSON.parse(receivers);
const clock = () => Number(epoch) + Number(skipped) + (Date.now() - Number(epoch)) * Number(speed);
const portico = await compose(
  readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent', BASE_URL: 'http://localhost:3000' }),
  clock,
);

let lookups = 0;
const lookup: LookupFunction = (_, __, callback) => {
  lookups += 1;
  callback(null, [{ address: lookups % 20 === 0 ? trap : LOOPBACK, family: 4 }]);
};
const send = eventSender(fetchWith(toLoopback({ httpsOnly: false, time: 600, network: { lookup } })));
portico.startEvents(({ url, ...message }) => {
  const { hostname } = new URL(url);
  return send({ ...message, url: `http://${hostname}:${ports[hostname]}/events` });
});
process.stdout.write('ready\n');
// A test that fails leaves nothing running.
process.stdin.on('end', () => process.exit(1)).resume();
