// A process that shares a store with others. For the tests of the file store.
// node refreshing-process.ts FILE ISSUER CLIENT_ID refresh|die
// `refresh` reads the profile 20 times with a token that always looks expired. `die` ends the process between the
// server's answer to a refresh and the moment when the new tokens are saved.

import { PorticoApplication } from '../../../packages/client/src/index.ts';
import { fileStore } from '../../../packages/client/src/node.ts';

const [file = '', issuer = '', clientId = '', act] = process.argv.slice(2);

let now = Date.now();
const application = new PorticoApplication({
  issuer,
  clientId,
  redirectUri: 'https://pocket.example.com/cb',
  now: () => {
    now += 3_600_000;
    return now;
  },
  async fetch(url, init) {
    const response = await fetch(url, init);
    if (act === 'die' && url.endsWith('/token')) process.kill(process.pid, 'SIGKILL');
    return response;
  },
});
const session = application.session(fileStore(file));
for (let times = 0; times < 20; times += 1) await session.me();
