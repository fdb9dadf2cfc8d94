// What members allowed applications.

import { actNow } from '../../identity/act.ts';
import { Refusal } from '../../lib/refusal.ts';
import { command } from '../command.ts';
import { findAccount, withPortico } from '../portico.ts';

const withdraw = command({
  name: 'consent withdraw',
  summary: 'take back what a member allowed an application, with all its tokens for that member',
  options: {
    username: { kind: 'text', value: 'NAME', summary: "the member's name", required: true },
    'client-id': { kind: 'text', value: 'ID', summary: 'the application (app_…)', required: true },
  },
  async run({ username, 'client-id': clientId }, context) {
    return withPortico(context, async (portico) => {
      const user = await findAccount(portico, username);
      const { oauth, clock } = portico;
      const done = await oauth.writes.withdrawGrant(user.id, clientId, clock(), actNow(clock));
      if (!done) {
        throw new Refusal(
          'consent_not_found',
          `${user.username} allows the application ${clientId} nothing.`,
        );
      }
      return {
        json: { username: user.username, client_id: clientId, withdrawn: true },
        text: `${user.username} no longer allows the application ${clientId} anything.`,
      };
    });
  },
});

export const consentCommands = [withdraw];
