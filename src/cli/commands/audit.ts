// The audit log.

import { type AuditEvent, readAuditSubject } from '../../audit/audit-log.ts';
import { command, listText } from '../command.ts';
import { quoted, WrongUsage } from '../options.ts';
import { withPortico } from '../portico.ts';

const MOST_EVENTS = 1000;

const list = command({
  name: 'audit list',
  summary: 'list the audit log, newest first',
  details:
    'Lists the acts of operators on the pages and at the command line. Acts at the command line have no username.',
  options: {
    subject: {
      kind: 'text',
      value: 'KIND:ID',
      summary: 'only events about this subject, such as user:7 or client:app_…',
    },
    before: { kind: 'integer', value: 'N', summary: 'only events older than the event with this id' },
    limit: {
      kind: 'integer',
      value: 'N',
      summary: `how many events, 50 if left out, at most ${MOST_EVENTS}`,
    },
  },
  async run({ subject, before, limit = 50 }, context) {
    if (limit < 1 || limit > MOST_EVENTS) {
      throw new WrongUsage(`--limit must be from 1 to ${MOST_EVENTS}, not ${limit}.`);
    }
    const auditSubject = subject === undefined ? undefined : readAuditSubject(subject);
    if (subject !== undefined && auditSubject === undefined) {
      throw new WrongUsage(
        `--subject must be a kind and an id such as user:7 or client:app_…, not ${quoted(subject)}.`,
      );
    }
    return withPortico(context, async ({ audit }) => {
      const events = await audit.reads.auditEvents({ before, limit, subject: auditSubject });
      return {
        json: { events: events.map(toJson) },
        text: events.length === 0 ? 'The audit log is empty.' : listText(events, toLine),
      };
    });
  },
});

export const auditCommands = [list];

function toJson({ id, at, actorName, action, subject, subjectName: name, detail }: AuditEvent) {
  const moment = new Date(at).toISOString();
  return { id, at: moment, actor: actorName ?? null, action, subject: { ...subject, name }, detail };
}

function toLine({ at, actorName, action, subject, subjectName, detail }: AuditEvent): string {
  const details = Object.entries(detail).map(([name, value]) => `  ${name}=${value}`);
  const moment = new Date(at).toISOString();
  const name = subjectName === undefined ? '' : ` "${subjectName}"`;
  const what = `${subject.kind}:${subject.id}${name}${details.join('')}`;
  return `${moment}  ${actorName ?? '(command line)'}  ${action}  ${what}`;
}
