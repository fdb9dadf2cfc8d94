// Members' accounts.

import { byCommandLine } from '../../audit/doer.ts';
import type { Portico } from '../../compose.ts';
import { setAccountStatus } from '../../identity/account-status.ts';
import { isMember, readMembership, setMembership as setMembershipOf } from '../../identity/membership.ts';
import type { RegistrationProblems } from '../../identity/registration.ts';
import { setRole as setRoleOf } from '../../identity/role.ts';
import { type Role, roleOf, type User } from '../../identity/user.ts';
import { createUser } from '../../identity/user-creation.ts';
import { Refusal } from '../../lib/refusal.ts';
import { settingsOf } from '../../site/site.ts';
import { command } from '../command.ts';
import { quoted, WrongUsage } from '../options.ts';
import { findAccount, findOpenAccount, withPortico } from '../portico.ts';
import { userHelpCommands } from './user-help.ts';
import { userListCommands } from './user-list.ts';
import { USERNAME_PROBLEMS } from './user-problems.ts';

const username = { kind: 'text', value: 'NAME', summary: "the member's username", required: true } as const;

const create = command({
  name: 'user create',
  summary: 'create an account',
  options: {
    username,
    password: {
      kind: 'text',
      value: 'PASSWORD',
      summary: 'the password; - reads it from standard input, to keep it out of the shell history',
      required: true,
    },
    email: { kind: 'text', value: 'ADDRESS', summary: 'the email address' },
    bio: { kind: 'text', value: 'TEXT', summary: 'one line about the member' },
    operator: { kind: 'flag', summary: 'make the member an operator' },
    reserved: { kind: 'flag', summary: 'allow a reserved username, which operators can have anyway' },
  },
  async run(values, context) {
    const password = values.password === '-' ? withoutLineBreak(await context.readInput()) : values.password;
    return withPortico(context, async ({ identity, clock }) => {
      const { email, bio, operator, reserved } = values;
      const user = await createUser(byCommandLine(clock), identity, {
        username: values.username,
        password,
        email,
        bio,
        isOperator: operator,
        mayHaveReservedName: operator || reserved,
      });
      if ('problems' in user) throw refusalOf(user.problems, values);
      const { id, username } = user;
      return {
        json: { id, username },
        text: `Created the account ${username} with the id ${id}${operator ? ', an operator' : ''}.`,
      };
    });
  },
});

const setStatus = command({
  name: 'user set-status',
  summary: 'suspend, reactivate or close an account',
  details:
    "A suspended member can't sign in, and all tokens of the account are refused. A closed account can't be " +
    'reopened: its posts and comments are removed, and its picture, bio and email address are deleted. The last ' +
    'operator can be neither suspended nor closed.',
  options: {
    username,
    status: {
      kind: 'text',
      value: 'STATUS',
      summary: 'the new state',
      choices: ['active', 'suspended', 'closed'],
      required: true,
    },
  },
  async run({ username, status }, context) {
    return withPortico(context, async (portico) => {
      const user = await findAccount(portico, username);
      const by = byCommandLine(portico.clock);
      const problem =
        user.status === status ? undefined : await setAccountStatus(by, portico.identity, user, status);
      if (problem === 'closed') throw accountClosed(user);
      if (problem !== undefined) throw lastOperator(user);
      return {
        json: { id: user.id, username: user.username, status },
        text: `The account of ${user.username} is ${status}.`,
      };
    });
  },
});

const setMembership = command({
  name: 'user set-membership',
  summary: 'set the end of a membership',
  details:
    'A membership is a mark that applications can read, such as for supporters. Portico itself only shows it on the ' +
    "member's page. After its last day, the mark is gone.",
  options: {
    username,
    until: {
      kind: 'text',
      value: 'DATE',
      summary:
        'the last day, such as 2027-01-31 (in the site’s time zone); never: no end; none: no membership',
      required: true,
    },
    past: { kind: 'flag', summary: 'accept a day in the past: the membership is over' },
  },
  async run({ username, until, past }, context) {
    const inZone = (timeZone: string) => {
      const membership = readMembership(until, timeZone);
      if (membership !== undefined) return membership.until;
      throw new WrongUsage(
        `--until must be a day such as 2027-01-31, or never, or none, not ${quoted(until)}.`,
      );
    };
    // Before the database is opened.
    inZone('UTC');
    return withPortico(context, async (portico) => {
      const memberUntil = inZone((await settingsOf(portico.site)).timeZone);
      const user = await findOpenAccount(portico, username);
      const change = { until: memberUntil, isPastMeant: past };
      const by = byCommandLine(portico.clock);
      if ((await setMembershipOf(by, portico.identity, user.id, change)) === 'past') {
        throw new Refusal(
          'membership_past',
          `${until} is in the past, so ${user.username} would have no membership. Nothing was changed. If you mean ` +
            'that day, add --past; to end the membership, use --until none.',
        );
      }
      const member = isMember({ memberUntil }, by.at);
      return {
        json: { id: user.id, username: user.username, member, until },
        text: `${user.username} ${describeUntil(until, member)}.`,
      };
    });
  },
});

const setOperator = command({
  name: 'user set-operator',
  summary: 'make a member an operator, or an operator an ordinary member',
  options: {
    username,
    operator: {
      kind: 'text',
      value: 'YES|NO',
      summary: 'whether the member is an operator',
      choices: ['yes', 'no'],
      required: true,
    },
  },
  async run({ username, operator }, context) {
    const isOperator = operator === 'yes';
    return withPortico(context, async (portico) => {
      const user = await findOpenAccount(portico, username);
      if (user.isOperator !== isOperator) await changeRole(portico, user, isOperator ? 'operator' : 'member');
      return {
        json: { id: user.id, username: user.username, operator: isOperator },
        text: `${user.username} is ${isOperator ? 'an' : 'not an'} operator.`,
      };
    });
  },
});

const setRole = command({
  name: 'user set-role',
  summary: 'make a member an operator, a moderator, or an ordinary member',
  details:
    'A moderator decides about posts, comments, reports and categories, and suspends members. An operator may do ' +
    'everything. The last operator keeps the role.',
  options: {
    username,
    role: {
      kind: 'text',
      value: 'ROLE',
      summary: 'the new role',
      choices: ['member', 'moderator', 'operator'],
      required: true,
    },
  },
  async run({ username, role }, context) {
    return withPortico(context, async (portico) => {
      const user = await findOpenAccount(portico, username);
      if (roleOf(user) !== role) await changeRole(portico, user, role);
      return {
        json: { id: user.id, username: user.username, role },
        text: `${user.username} is ${ROLE_WORDS[role]}.`,
      };
    });
  },
});

export const userCommands = [
  create,
  setStatus,
  setMembership,
  setOperator,
  setRole,
  ...userHelpCommands,
  ...userListCommands,
];

const ROLE_WORDS: Record<Role, string> = {
  member: 'an ordinary member',
  moderator: 'a moderator',
  operator: 'an operator',
};

async function changeRole({ identity, clock }: Portico, user: User, role: Role): Promise<void> {
  const problem = await setRoleOf(byCommandLine(clock), identity, user.id, role);
  if (problem === 'not_active') throw new Refusal('account_suspended', `${user.username} is suspended.`);
  if (problem !== undefined) throw lastOperator(user);
}

function accountClosed({ username }: User): Refusal {
  return new Refusal('account_closed', `The account of ${username} is closed and can't be reopened.`);
}

function lastOperator({ username }: User): Refusal {
  return new Refusal(
    'last_operator',
    `${username} is the last operator. Make another member an operator first.`,
  );
}

function describeUntil(until: string, member: boolean): string {
  if (until === 'none') return 'has no membership';
  if (!member) return `has no membership any more: it ended on ${until}`;
  return until === 'never' ? 'has a membership without end' : `has a membership until ${until}`;
}

function withoutLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

// Each completes a sentence that begins with the option, and quotes no password.
const PROBLEMS = {
  username: USERNAME_PROBLEMS,
  password: {
    too_short: 'must have at least 8 characters',
    too_long: 'must have at most 1024 bytes',
    context: 'must not be a name that is easy to guess: of the site, its host or brand, or of the member',
    common: 'must not be one of the most common passwords',
    breached: 'must not be one that became public in a data breach',
  },
  email: {
    invalid: 'must be an email address such as me@community.example',
    blocked: 'belongs to a blocked mail domain',
    taken: 'is the email address of another account',
  },
  bio: {
    too_long: 'must have at most 160 characters',
    hidden_characters: 'must be one line without hidden characters',
  },
} as const satisfies {
  [Field in keyof RegistrationProblems]-?: Record<NonNullable<RegistrationProblems[Field]>, string>;
};

type Field = keyof typeof PROBLEMS;

function refusalOf(problems: RegistrationProblems, given: { [F in Field]?: string | undefined }): Refusal {
  const entries = Object.entries(problems) as [Field, string][];
  const messages = entries.map(([field, problem]) => {
    const value = field === 'password' ? '' : ` ${quoted(given[field] ?? '')}`;
    return `--${field}${value} ${(PROBLEMS[field] as Record<string, string>)[problem]}.`;
  });
  const [[field, problem] = ['registration', 'invalid']] = entries;
  return new Refusal(`${field}_${problem}`, messages.join(' '));
}
