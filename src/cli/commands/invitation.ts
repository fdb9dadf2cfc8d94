// Invitations: making links, listing them, revoking one.

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
import { command } from '../command.ts';
import { withPortico } from '../portico.ts';

const create = command({
  name: 'invitation create',
  summary: 'make a link with which one person can join',
  details: 'The link is shown only now.',
  options: {
    note: { kind: 'text', value: 'TEXT', summary: 'for whom it is; only operators see it' },
    days: {
      kind: 'integer',
      value: 'N',
      summary: `how many days it can be used, ${DEFAULT_INVITATION_DAYS} if left out`,
    },
  },
  async run({ note, days }, context) {
    return withPortico(context, async ({ identity, config }) => {
      const made = await invite(identity, { note, days });
      if ('problem' in made) throw new Refusal(`invitation_${made.problem}`, PROBLEMS[made.problem]);
      const link = config.baseUrl + invitationPath(made.text);
      const expires = new Date(made.expiresAt).toISOString();
      const closed =
        config.signUp === 'closed' ? '\nSIGN_UP is closed: until it is not, nobody can use it.' : '';
      return {
        json: { id: made.key, link, expires },
        text: `${link}\nIt is not shown again, and can be used once, until ${expires}.${closed}`,
      };
    });
  },
});

const list = command({
  name: 'invitation list',
  summary: 'list the newest invitations and what became of them',
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
      const lines = items.map(
        ({ id, state, used_by, note, expires }) =>
          `${id}  ${state}${used_by === null ? '' : ` by ${used_by}`}  until ${expires}  ${note}`,
      );
      return { json: { invitations: items }, text: lines.join('\n') || 'There are no invitations.' };
    });
  },
});

const revoke = command({
  name: 'invitation revoke',
  summary: 'make an invitation worthless',
  options: { id: { kind: 'text', value: 'ID', summary: 'its id, as listed', required: true } },
  async run({ id }, context) {
    return withPortico(context, async ({ identity }) => {
      if (!(await revokeInvitation(identity, id))) {
        throw new Refusal('invitation_not_found', 'No invitation with this id is left to revoke.');
      }
      return { json: { id, revoked: true }, text: `Revoked the invitation ${id}.` };
    });
  },
});

export const invitationCommands = [create, list, revoke];

const MOST_LISTED = 200;

const PROBLEMS: Record<InvitationProblem, string> = {
  note: 'The note must be one line of at most 100 characters.',
  days: 'The invitation must hold 1 to 365 days.',
};
