// Members' accounts.

import { type RegistrationProblems, signUp } from '../../identity/sign-up.ts';
import { isMember, MEMBER_FOREVER } from '../../identity/user.ts';
import { DAY, HOUR, type Timestamp } from '../../lib/clock.ts';
import { command, Refusal } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { findAccount, findOpenAccount, withPortico } from '../portico.ts';

const username = { kind: 'text', value: 'NAME', summary: "the member's name", required: true } as const;

const create = command({
  name: 'user create',
  summary: 'make an account',
  options: {
    username,
    password: {
      kind: 'text',
      value: 'PASSWORD',
      summary: 'the password; - reads it from standard input, which keeps it out of the shell history',
      required: true,
    },
    email: { kind: 'text', value: 'ADDRESS', summary: 'the e-mail address' },
    bio: { kind: 'text', value: 'TEXT', summary: 'one line about the member' },
    operator: { kind: 'flag', summary: 'the account is an operator of this site' },
  },
  async run(values, context) {
    const password = values.password === '-' ? withoutLineBreak(await context.readInput()) : values.password;
    return withPortico(context, async ({ identity }) => {
      const { email, bio, operator } = values;
      const made = await signUp(identity, {
        username: values.username,
        password,
        email,
        bio,
        isOperator: operator,
      });
      if ('problems' in made) throw refusalOf(made.problems);
      const { id } = made;
      return {
        json: { id, username: made.username },
        text: `Made the account of ${made.username}, number ${id}${operator ? ', an operator' : ''}.`,
      };
    });
  },
});

const setStatus = command({
  name: 'user set-status',
  summary: 'suspend, reinstate or close an account',
  details:
    'While an account is suspended nobody can sign in to it and its tokens are refused. Closing is for good.',
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
      const done = user.status === status || (await portico.identity.store.setStatus(user.id, status));
      if (!done) throw new Refusal('account_closed', `The account of ${user.username} is closed, for good.`);
      return {
        json: { id: user.id, username: user.username, status },
        text: `The account of ${user.username} is ${status}.`,
      };
    });
  },
});

const setMembership = command({
  name: 'user set-membership',
  summary: 'say until when a member has the membership',
  options: {
    username,
    until: {
      kind: 'text',
      value: 'DATE',
      summary: 'the last day, as 2027-01-31 (in UTC+8); never: without an end; none: no membership',
      required: true,
    },
  },
  async run({ username, until }, context) {
    const memberUntil = readUntil(until);
    return withPortico(context, async (portico) => {
      const user = await findOpenAccount(portico, username);
      await portico.identity.store.setMemberUntil(user.id, memberUntil);
      const member = isMember({ ...user, memberUntil }, portico.clock());
      return {
        json: { id: user.id, username: user.username, member, until },
        text: `${user.username} ${describeUntil(until)}.`,
      };
    });
  },
});

export const userCommands = [create, setStatus, setMembership];

const UTC_OFFSET = 8 * HOUR;

/** The first moment without membership: that the last day is over, where the site's clocks hang (UTC+8). */
function readUntil(until: string): Timestamp | undefined {
  if (until === 'none') return undefined;
  if (until === 'never') return MEMBER_FOREVER;
  const midnight = /^\d{4}-\d\d-\d\d$/.test(until) ? Date.parse(`${until}T00:00:00Z`) : Number.NaN;
  // JavaScript reads 2027-02-30 as a day in March.
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(until);
  if (!isDay) throw new WrongUsage('--until must be a day such as 2027-01-31, or never, or none.');
  return midnight + DAY - UTC_OFFSET;
}

function describeUntil(until: string): string {
  if (until === 'none') return 'has no membership';
  return until === 'never' ? 'is a member without an end' : `is a member through ${until}`;
}

function withoutLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

const PROBLEMS = {
  username: {
    too_short: 'The name is shorter than 3 characters.',
    too_long: 'The name is longer than 30 characters.',
    characters: 'The name may have letters and digits, and between them . _ and - only.',
    mixed_scripts: 'The name mixes alphabets that look alike.',
    taken: 'The name is taken.',
  },
  password: {
    too_short: 'The password is shorter than 8 characters.',
    too_long: 'The password is longer than 1024 bytes.',
    is_username: 'The password is the name itself.',
  },
  email: {
    invalid: 'The e-mail address is not one.',
    taken: 'Another account has this e-mail address.',
  },
  bio: {
    too_long: 'The bio is longer than 160 characters.',
    hidden_characters: 'The bio contains a line break or a hidden character.',
  },
} as const satisfies {
  [Field in keyof RegistrationProblems]-?: Record<NonNullable<RegistrationProblems[Field]>, string>;
};

function refusalOf(problems: RegistrationProblems): Refusal {
  const found = Object.entries(problems) as [keyof typeof PROBLEMS, string][];
  const messages = found.map(([field, problem]) => (PROBLEMS[field] as Record<string, string>)[problem]);
  const [[field, problem] = ['registration', 'invalid']] = found;
  return new Refusal(`${field}_${problem}`, messages.join(' '));
}
