// Invitations.

import { byCommandLine } from '../../audit/doer.ts';
import {
  DEFAULT_INVITATION_DAYS,
  type InvitationProblem,
  invitationPath,
  invitations,
  invite,
  revokeInvitation,
  stateOfInvitation,
} from '../../identity/invitation.ts';
import { Refusal } from '../../lib/refusal.ts';
import { settingsOf } from '../../site/site.ts';
import { command, listText } from '../command.ts';
import { withPortico } from '../portico.ts';

const create = command({
  name: 'invitation create',
  summary: 'create a link with which one person can sign up',
  details: 'The link is shown only once.',
  options: {
    note: {
      kind: 'text',
      value: 'TEXT',
      summary: 'a note, such as the name of the person; only operators see it',
    },
    days: {
      kind: 'integer',
      value: 'N',
      summary: `how many days the link is valid, ${DEFAULT_INVITATION_DAYS} if left out`,
    },
  },
  async run({ note, days }, context) {
    return withPortico(context, async ({ identity, site, config, clock }) => {
      const invitation = await invite(byCommandLine(clock), identity, { note, days });
      if ('problem' in invitation) {
        throw new Refusal(`invitation_${invitation.problem}`, PROBLEMS[invitation.problem]);
      }
      const link = config.baseUrl + invitationPath(invitation.text);
      const expires = new Date(invitation.expiresAt).toISOString();
      const { signUp } = await settingsOf(site);
      const warning =
        signUp === 'closed' ? '\nThe link works only after you open sign-up, which is closed.' : '';
      return {
        json: { id: invitation.key, link, expires },
        text: `${link}\nThe link works once, until ${expires}. It can't be shown again.${warning}`,
      };
    });
  },
});

const list = command({
  name: 'invitation list',
  summary: 'list the newest invitations with their state',
  options: {},
  async run(_, context) {
    return withPortico(context, async ({ identity, clock }) => {
      const now = clock();
      const items = (await invitations(identity, { most: MOST_LISTED })).map((invitation) => ({
        id: invitation.key,
        state: stateOfInvitation(invitation, now),
        used_by: invitation.usedBy?.username ?? null,
        note: invitation.note,
        created: new Date(invitation.createdAt).toISOString(),
        expires: new Date(invitation.expiresAt).toISOString(),
      }));
      const lines = listText(
        items,
        ({ id, state, used_by, note, expires }) =>
          `${id}  ${state}${used_by === null ? '' : ` by ${used_by}`}  until ${expires}  ${note}`,
      );
      return { json: { invitations: items }, text: lines || 'There are no invitations.' };
    });
  },
});

const revoke = command({
  name: 'invitation revoke',
  summary: 'revoke an invitation',
  options: {
    id: {
      kind: 'text',
      value: 'ID',
      summary: 'the id of the invitation, from invitation list',
      required: true,
    },
  },
  async run({ id }, context) {
    return withPortico(context, async ({ identity, clock }) => {
      if (!(await revokeInvitation(byCommandLine(clock), identity, id))) {
        throw new Refusal(
          'invitation_not_found',
          `There is no unused invitation with the id ${id}. See portico invitation list.`,
        );
      }
      return { json: { id, revoked: true }, text: `Revoked the invitation ${id}.` };
    });
  },
});

export const invitationCommands = [create, list, revoke];

const MOST_LISTED = 200;

const PROBLEMS: Record<InvitationProblem, string> = {
  note: '--note must be one line of at most 100 characters.',
  days: '--days must be from 1 to 365.',
};
