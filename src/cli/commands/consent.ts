// Consent that members gave to applications.

import { byCommandLine } from '../../audit/doer.ts';
import { Refusal } from '../../lib/refusal.ts';
import { withdrawConsent } from '../../oauth/withdrawal.ts';
import { command } from '../command.ts';
import { findAccount, withPortico } from '../portico.ts';

const withdraw = command({
  name: 'consent withdraw',
  summary: "withdraw a member's consent to an application, and revoke its tokens for that member",
  options: {
    username: { kind: 'text', value: 'NAME', summary: "the member's username", required: true },
    'client-id': { kind: 'text', value: 'ID', summary: 'the application (app_…)', required: true },
  },
  async run({ username, 'client-id': clientId }, context) {
    return withPortico(context, async (portico) => {
      const user = await findAccount(portico, username);
      const { oauth, clock } = portico;
      const isWithdrawn = await withdrawConsent(oauth, byCommandLine(clock), user.id, clientId);
      if (!isWithdrawn) {
        throw new Refusal(
          'consent_not_found',
          `${user.username} has given no consent to the application ${clientId}.`,
        );
      }
      return {
        json: { username: user.username, client_id: clientId, withdrawn: true },
        text: `Withdrew the consent of ${user.username} to the application ${clientId}.`,
      };
    });
  },
});

export const consentCommands = [withdraw];
