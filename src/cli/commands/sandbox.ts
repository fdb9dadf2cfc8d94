// The sandbox's own command. As for `serve`, bin/portico.js starts it, so only its help and mistakes are here.

import { command } from '../command.ts';
import { WrongUsage } from '../options.ts';

const sandbox = command({
  name: 'sandbox',
  summary: 'start a sandbox for developers: test members, a test application, faults',
  details:
    'The sandbox is a server of its own on a database in memory. It keeps nothing and sends no mail. Its settings are ' +
    'environment variables: PORT (3100), HOST (localhost), BASE_URL (http://localhost:PORT), SITE_NAME (Sandbox), ' +
    'TRUST_PROXY, BRAND, LOG_LEVEL, METRICS_PORT, TIME_ZONE. It ignores the settings of databases, mail and backups. ' +
    'It stops after SIGTERM or Ctrl-C.',
  options: {},
  async run() {
    throw new WrongUsage('sandbox has no options. Its settings are environment variables.');
  },
});

export const sandboxCommands = [sandbox];
