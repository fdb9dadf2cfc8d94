// Members' accounts.

import { actNow } from '../../identity/act.ts';
import { isMember, readMembership } from '../../identity/membership.ts';
import { type RegistrationProblems, signUp } from '../../identity/sign-up.ts';
import type { User } from '../../identity/user.ts';
import { Refusal } from '../../lib/refusal.ts';
import { command } from '../command.ts';
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
  summary: 'suspend, reactivate or close an account',
  details:
    'While an account is suspended nobody can sign in to it and its tokens are refused. Closing is for good: posts ' +
    'and comments go from sight, and picture, bio and e-mail address are deleted. The last operator stays.',
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
      const { writes } = portico.identity;
      const act = actNow(portico.clock);
      const done =
        user.status === status ||
        (status === 'closed'
          ? await writes.closeAccount(user.id, act.at, act)
          : await writes.setStatus(user.id, status, act));
      if (!done) throw refusalOfStatus(user);
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
    const read = readMembership(until);
    if (read === undefined)
      throw new WrongUsage('--until must be a day such as 2027-01-31, or never, or none.');
    const memberUntil = read.until;
    return withPortico(context, async (portico) => {
      const user = await findOpenAccount(portico, username);
      await portico.identity.writes.setMemberUntil(user.id, memberUntil, actNow(portico.clock));
      const member = isMember({ memberUntil }, portico.clock());
      return {
        json: { id: user.id, username: user.username, member, until },
        text: `${user.username} ${describeUntil(until)}.`,
      };
    });
  },
});

const setOperator = command({
  name: 'user set-operator',
  summary: 'make a member an operator, or an operator a member like the others',
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
      const { writes } = portico.identity;
      const done =
        user.isOperator === isOperator ||
        (await writes.setOperator(user.id, isOperator, actNow(portico.clock)));
      if (!done && isOperator) throw new Refusal('account_suspended', `${user.username} is suspended.`);
      if (!done) throw lastOperator(user);
      return {
        json: { id: user.id, username: user.username, operator: isOperator },
        text: `${user.username} is ${isOperator ? 'an' : 'no'} operator.`,
      };
    });
  },
});

export const userCommands = [create, setStatus, setMembership, setOperator];

function refusalOfStatus(user: User): Refusal {
  if (user.status !== 'closed') return lastOperator(user);
  return new Refusal('account_closed', `The account of ${user.username} is closed, for good.`);
}

function lastOperator({ username }: User): Refusal {
  return new Refusal('last_operator', `${username} is the last operator. Make another one first.`);
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
