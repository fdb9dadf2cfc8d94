// `npm run demo`: opens a community to look at, says what to click, and takes everything away on Ctrl-C.

import { join } from 'node:path';
import { openDemo } from './demo.ts';
import { MEMBER, OPERATOR, PASSWORD } from './seeding.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

say('Making a community of 200 members and 2,000 posts …');
const { url, sampleUrl, folder, ended, stop } = await openDemo({
  ...{ port: 3000, samplePort: 4000, members: 200, posts: 2000 },
});

say(`
The community is open at ${url}

  Read           ${url}/  ·  ${url}/popular  ·  ${url}/u/${MEMBER}
  Search         ${url}/search?q=rye+bread  ·  ${url}/search?q=%E7%95%AA%E8%8C%84
  In Chinese     choose 中文 at the foot of any page
  Sign in        ${url}/login
                   ${MEMBER}, a member:    ${PASSWORD}
                   ${OPERATOR}, an operator: ${PASSWORD}
  Write          ${url}/write, then look at the front page
  Run the place  ${url}/operator, as ${OPERATOR}
  Let another application read
                 ${sampleUrl}  → Sign in with the community → allow → Refresh, or Sign out
                 then ${url}/settings/apps, where the member takes it back
  Mails          are written into ${join(folder, 'outbox')}

The sample application is demo/sample-app: 250 lines to read. Ctrl-C ends all of this and removes it.
`);

// However it ends, nothing stays.
await Promise.race([ended, once('SIGINT'), once('SIGTERM')]);
say('\nRemoving it …');
await stop();
// A terminal passes Ctrl-C to everyone; whoever presses it twice must not see an error.
process.exit(0);

function once(signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => process.once(signal, () => resolve()));
}
