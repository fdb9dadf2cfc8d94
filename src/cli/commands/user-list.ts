// Finding members.

import { emailToConfirm } from '../../identity/email.ts';
import { matchingMembers } from '../../identity/member-list.ts';
import { membershipWord } from '../../identity/membership.ts';
import { countSessions } from '../../identity/session.ts';
import { roleOf, type User } from '../../identity/user.ts';
import { settingsOf } from '../../site/site.ts';
import { command } from '../command.ts';
import { jsonRecord, LIST_OPTIONS, type Listing, printList } from '../listing.ts';
import { findAccount, withPortico } from '../portico.ts';
import { sheet } from '../sheet.ts';

const fieldsIn = (timeZone: string): Listing<User>['fields'] => ({
  id: ({ id }) => id,
  username: ({ username }) => username,
  email: ({ email }) => email,
  status: ({ status }) => status,
  role: roleOf,
  membership: ({ memberUntil }) => membershipWord(memberUntil, timeZone),
  xp: ({ xp }) => xp,
  created_at: ({ createdAt }) => new Date(createdAt).toISOString(),
});

const list = command({
  name: 'user list',
  summary: 'list members, the oldest first',
  details:
    'Without filters, lists every account. The email address is the one that the account has; one that waits for ' +
    'confirmation is shown by user show.',
  options: {
    status: {
      kind: 'text',
      value: 'STATUS',
      summary: 'only accounts with this status',
      choices: ['active', 'suspended', 'closed'],
    },
    role: {
      kind: 'text',
      value: 'ROLE',
      summary: 'only members with this role',
      choices: ['operator', 'moderator', 'member'],
    },
    membership: {
      kind: 'text',
      value: 'YES|NO',
      summary: 'only members with, or only without a membership that is valid now',
      choices: ['yes', 'no'],
    },
    search: { kind: 'text', value: 'TEXT', summary: 'only with this text in the username or email address' },
    ...LIST_OPTIONS,
  },
  async run({ status, role, membership, search, csv }, context) {
    return withPortico(context, async ({ identity, site }) => {
      const fields = fieldsIn((await settingsOf(site)).timeZone);
      const records = matchingMembers(identity, {
        status,
        role,
        hasMembership: membership === undefined ? undefined : membership === 'yes',
        search,
      });
      const listing = { name: 'users', records, fields, toLine, empty: 'There are no such members.' };
      return printList(context, listing, { csv });
    });
  },
});

const show = command({
  name: 'user show',
  summary: 'show an account, with its email address and whether it is confirmed',
  options: {
    username: { kind: 'text', value: 'NAME', summary: "the member's username", required: true },
  },
  async run({ username }, context) {
    return withPortico(context, async (portico) => {
      const { identity, site } = portico;
      const fields = fieldsIn((await settingsOf(site)).timeZone);
      const user = await findAccount(portico, username);
      const earlier = await identity.reads.earlierUsernames(user.id);
      const json = {
        ...jsonRecord(fields, user),
        email_confirmed: user.email !== undefined,
        email_to_confirm: (await emailToConfirm(identity, user)) ?? null,
        earlier_usernames: earlier.map((name) => name.username),
        signed_in_browsers: await countSessions(identity, user.id),
        bio: user.bio,
      };
      return { json, text: sheet(json) };
    });
  },
});

export const userListCommands = [list, show];

function toLine(user: User): string {
  const { id, username, email = '–', status } = user;
  const role = roleOf(user);
  return `${id}  ${username}  ${email}  ${status}${role === 'member' ? '' : `  ${role}`}`;
}
