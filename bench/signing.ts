// Counts the RS256 signatures that one core makes when it does nothing else. Reads `{ seconds }`, prints a rate.

import { generateKeyPairSync, sign } from 'node:crypto';
import { text } from 'node:stream/consumers';

const { seconds } = JSON.parse(await text(process.stdin)) as { seconds: number };
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const data = Buffer.alloc(400, 'a');
const start = performance.now();
let count = 0;
while (performance.now() - start < seconds * 1000) {
  sign('sha256', data, privateKey);
  count += 1;
}
process.stdout.write(JSON.stringify(count / ((performance.now() - start) / 1000)));
