// `npm run demo`: starts a demo community, prints what to try, and removes everything on Ctrl-C.

import { join } from 'node:path';
import { openDemo } from './demo.ts';
import { MEMBER, OPERATOR, PASSWORD } from './seeding.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

say('Creating a community of 200 members and 2,000 posts …');
const options = { port: 3000, samplePort: 4000, members: 200, posts: 2000 };
const { url, sampleUrl, folder, serverExit, stop } = await openDemo(options);

say(`
The community is open at ${url}

  Read           ${url}/  ·  ${url}/popular  ·  ${url}/u/${MEMBER}
  Search         ${url}/search?q=rye+bread  ·  ${url}/search?q=%E7%95%AA%E8%8C%84
  In Chinese     choose 中文 at the foot of any page
  Sign in        ${url}/login
                   ${MEMBER}, a member:    ${PASSWORD}
                   ${OPERATOR}, an operator: ${PASSWORD}
  Write          ${url}/write, then look at the front page
  Operate        ${url}/operator, as ${OPERATOR}
  Connect an app ${sampleUrl} → sign in with the community → allow;
                 then remove its access under ${url}/settings/apps
  Emails         are saved in ${join(folder, 'outbox')}

The sample application is examples/server: 110 lines to read. Press Ctrl-C to stop and delete everything.
`);

await Promise.race([serverExit, once('SIGINT'), once('SIGTERM')]);
say('\nRemoving the demo …');
await stop();
// Exits at once, so that pressing Ctrl-C twice prints no error.
process.exit(0);

function once(signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => process.once(signal, () => resolve()));
}
