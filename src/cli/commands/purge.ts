// Deleting expired data.

import { command } from '../command.ts';
import { withPortico } from '../portico.ts';

const purge = command({
  name: 'purge',
  summary: 'delete expired sessions, codes and tokens now',
  details:
    'The server deletes expired data by itself, in small steps. This command deletes all of it at once.',
  options: {},
  async run(_, context) {
    return withPortico(context, async (portico) => {
      let count = 0;
      for (;;) {
        const rows = await portico.purge();
        if (rows === 0) break;
        count += rows;
      }
      return { json: { deleted: count }, text: `Deleted ${count} ${count === 1 ? 'row' : 'rows'}.` };
    });
  },
});

export const purgeCommands = [purge];
