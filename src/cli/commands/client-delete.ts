// Deleting an application: planned as its owner does it, cancelled, or at once.

import { byCommandLine } from '../../audit/doer.ts';
import { Refusal } from '../../lib/refusal.ts';
import { cancelDeletion, deleteClient, planDeletion } from '../../oauth/client-deletion.ts';
import { command } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { withPortico } from '../portico.ts';
import { unknownClient } from './client-introduction.ts';

export const clientDelete = command({
  name: 'client delete',
  summary: 'delete an application seven days from now',
  details:
    'Until then it works. Afterwards its tokens and secrets are refused for good, and members who allowed it see a note.',
  options: {
    'client-id': { kind: 'text', value: 'ID', summary: 'the id of the application (app_…)', required: true },
    now: { kind: 'flag', summary: "delete it at once; this can't be undone" },
    cancel: { kind: 'flag', summary: 'keep an application that was to be deleted' },
  },
  async run({ 'client-id': id, now, cancel }, context) {
    if (now && cancel) throw new WrongUsage("--now can't be used with --cancel.");
    return withPortico(context, async ({ oauth, clock }) => {
      const client = await oauth.reads.findClient(id);
      if (client === undefined || client.deactivation === 'deleted') throw unknownClient(id);
      const by = byCommandLine(clock);
      const change = now ? deleteClient : cancel ? cancelDeletion : planDeletion;
      if (!(await change(by, oauth, id))) {
        throw cancel
          ? new Refusal('not_planned', `The application ${id} is not to be deleted.`)
          : new Refusal(
              'planned_already',
              `The application ${id} is to be deleted already. Pass --now or --cancel.`,
            );
      }
      const deleteAt = (await oauth.reads.findClient(id))?.deleteAt;
      const at = deleteAt === undefined ? null : new Date(deleteAt).toISOString();
      const text = now
        ? `Deleted the application ${id}.`
        : at === null
          ? `The application ${id} stays.`
          : `The application ${id} will be deleted at ${at}.`;
      return { json: { client_id: id, deletes_at: at, deleted: now }, text };
    });
  },
});
