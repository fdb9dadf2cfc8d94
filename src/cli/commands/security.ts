// The security events.

import {
  readSecurityEventName,
  SECURITY_EVENT_NAMES,
  type SecurityEvent,
} from '../../audit/security-event.ts';
import { command, listText } from '../command.ts';
import { quoted, WrongUsage } from '../options.ts';
import { findAccount, withPortico } from '../portico.ts';

const MOST_EVENTS = 1000;

const list = command({
  name: 'security list',
  summary: 'list the security events of the last 90 days, newest first',
  details:
    'Lists sign-ins, failed attempts, and changes of passwords, tokens and keys. The audit log is separate.',
  options: {
    username: { kind: 'text', value: 'NAME', summary: 'only events of this member' },
    event: { kind: 'text', value: 'EVENT', summary: 'only this kind of event, such as sign_in_failed' },
    before: { kind: 'integer', value: 'N', summary: 'only events older than the event with this id' },
    limit: {
      kind: 'integer',
      value: 'N',
      summary: `how many events, 50 if left out, at most ${MOST_EVENTS}`,
    },
  },
  async run({ username, event, before, limit = 50 }, context) {
    if (limit < 1 || limit > MOST_EVENTS) {
      throw new WrongUsage(`--limit must be from 1 to ${MOST_EVENTS}, not ${limit}.`);
    }
    const name = readSecurityEventName(event);
    if (event !== undefined && name === undefined) {
      throw new WrongUsage(
        `--event must be one of ${SECURITY_EVENT_NAMES.join(', ')}, not ${quoted(event)}.`,
      );
    }
    return withPortico(context, async (portico) => {
      const user = username === undefined ? undefined : await findAccount(portico, username);
      const page = { before, limit, userId: user?.id, event: name };
      const events = await portico.audit.reads.securityEvents(page);
      return {
        json: { events: events.map(toJson) },
        text: events.length === 0 ? 'There are no security events.' : listText(events, toLine),
      };
    });
  },
});

export const securityCommands = [list];

function toJson({ id, at, event, userId, clientId, address, by, detail, subject }: SecurityEvent) {
  return {
    id,
    at: new Date(at).toISOString(),
    event,
    user_id: userId ?? null,
    client_id: clientId ?? null,
    address: address ?? null,
    by: by ?? null,
    detail: detail ?? null,
    subject: subject ?? null,
  };
}

function toLine(row: SecurityEvent): string {
  const { at, event, userId, clientId, address, by, detail, subject } = row;
  const fields = Object.entries({ user: userId, client: clientId, address, by, detail, subject })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}=${value}`);
  return `${new Date(at).toISOString()}  ${event}${fields.join('')}`;
}
