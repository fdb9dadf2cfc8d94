// The operators' book.

import { type AuditEvent, readAuditSubject } from '../../audit/audit-log.ts';
import { command } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { withPortico } from '../portico.ts';

const MOST = 1000;

const list = command({
  name: 'audit list',
  summary: 'tell what operators did, newest first',
  details: 'On the pages or at the command line; of the latter nobody is named.',
  options: {
    subject: {
      kind: 'text',
      value: 'KIND:ID',
      summary: 'only what was done to this, such as user:7 or client:app_…',
    },
    before: { kind: 'integer', value: 'N', summary: 'go on after the event of this number' },
    limit: { kind: 'integer', value: 'N', summary: `how many at most, 50 if left out, up to ${MOST}` },
  },
  async run({ subject, before, limit = 50 }, context) {
    if (limit < 1 || limit > MOST) throw new WrongUsage(`--limit must be from 1 to ${MOST}.`);
    const of = subject === undefined ? undefined : readAuditSubject(subject);
    if (subject !== undefined && of === undefined) throw new WrongUsage('--subject must be such as user:7.');
    return withPortico(context, async ({ community }) => {
      const events = await community.reads.auditEvents({ before, limit, subject: of });
      return {
        json: { events: events.map(toJson) },
        text: events.length === 0 ? 'Nothing is written down.' : events.map(toLine).join('\n'),
      };
    });
  },
});

export const auditCommands = [list];

function toJson({ id, at, actorName, action, subject, detail }: AuditEvent) {
  return { id, at: new Date(at).toISOString(), actor: actorName ?? null, action, subject, detail };
}

function toLine({ at, actorName, action, subject, detail }: AuditEvent): string {
  const more = Object.entries(detail).map(([name, value]) => `  ${name}=${value}`);
  const moment = new Date(at).toISOString();
  return `${moment}  ${actorName ?? '(command line)'}  ${action}  ${subject.kind}:${subject.id}${more.join('')}`;
}
