// Deleting what has had its time.

import { command } from '../command.ts';
import { withPortico } from '../portico.ts';

const purge = command({
  name: 'purge',
  summary: 'delete expired sessions, codes and tokens now',
  details: 'The server does the same by itself in small steps; this waits until nothing is left to delete.',
  options: {},
  async run(_, context) {
    return withPortico(context, async (portico) => {
      let deleted = 0;
      for (;;) {
        const went = await portico.purge();
        if (went === 0) break;
        deleted += went;
      }
      return { json: { deleted }, text: `Deleted ${deleted} ${deleted === 1 ? 'row' : 'rows'}.` };
    });
  },
});

export const purgeCommands = [purge];
