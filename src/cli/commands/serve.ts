// The server's own command. bin/portico.js starts the server for `serve` alone, so only its help and mistakes are here.

import { command } from '../command.ts';
import { WrongUsage } from '../options.ts';

const serve = command({
  name: 'serve',
  summary: 'start the server; npm start does the same',
  details:
    'The settings are environment variables, or lines of a file .env in the current folder; docs/operating.md lists ' +
    'them. The server makes a new community if there is none at DATABASE_URL. It stops after SIGTERM or Ctrl-C.',
  options: {},
  async run() {
    throw new WrongUsage('serve has no options. Its settings are environment variables.');
  },
});

export const serveCommands = [serve];
