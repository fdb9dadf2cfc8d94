// Helping members: a link for a new password, an email address, another username, and ending sign-ins.

import { byCommandLine } from '../../audit/doer.ts';
import { type SetEmailProblem, setEmail } from '../../identity/email-by-operator.ts';
import { askFactorReset } from '../../identity/factor-reset.ts';
import { createResetLink, resetLinkPath } from '../../identity/password-reset.ts';
import { type RenamingProblem, renameUser } from '../../identity/renaming.ts';
import { endSignIns } from '../../identity/session.ts';
import { Refusal } from '../../lib/refusal.ts';
import { command } from '../command.ts';
import { findOpenAccount, withPortico } from '../portico.ts';
import { USERNAME_PROBLEMS } from './user-problems.ts';

const username = { kind: 'text', value: 'NAME', summary: "the member's username", required: true } as const;

// The language of the notices.
const LANGUAGE = 'en';

const resetLink = command({
  name: 'user reset-link',
  summary: 'create a link with which a member chooses a new password',
  details:
    "Give the link to the member only. It is shown only once, is valid for one hour and works once. The member's " +
    'email address gets a notice. It also works for operators, and for members without an address or a password.',
  options: { username },
  async run({ username }, context) {
    return withPortico(context, async (portico) => {
      const user = await findOpenAccount(portico, username);
      const by = byCommandLine(portico.clock);
      const reset = await createResetLink(by, portico.identity, user, LANGUAGE);
      if ('problem' in reset) throw refusalOfAddress(reset.problem);
      const link = portico.config.baseUrl + resetLinkPath(reset.token);
      const expires = new Date(reset.expiresAt).toISOString();
      return {
        json: { id: user.id, username: user.username, link, expires },
        text: `${link}\nThe link works once, until ${expires}. It can't be shown again.`,
      };
    });
  },
});

const setAddress = command({
  name: 'user set-email',
  summary: "set or remove a member's email address",
  details:
    'The address needs no confirmation. Check that it is the member’s: whoever reads its mail can set a new password. ' +
    'The old and the new address get a notice, and links that were mailed before stop working.',
  options: {
    username,
    email: {
      kind: 'text',
      value: 'ADDRESS',
      summary: 'the email address; none: the account has no address',
      required: true,
    },
  },
  async run({ username, email }, context) {
    return withPortico(context, async (portico) => {
      const user = await findOpenAccount(portico, username);
      const address = email === 'none' ? undefined : email;
      const by = byCommandLine(portico.clock);
      const problem = await setEmail(by, portico.identity, user, { email: address, language: LANGUAGE });
      if (problem !== undefined && problem !== 'unchanged') throw refusalOfAddress(problem);
      return {
        json: { id: user.id, username: user.username, email: address ?? null },
        text: `${user.username} has ${address === undefined ? 'no email address' : `the email address ${address}`}.`,
      };
    });
  },
});

const rename = command({
  name: 'user rename',
  summary: 'give a member another username',
  details:
    'The old username stays reserved for the member, who can still sign in with it. The member is told by mail and ' +
    'at the next sign-in.',
  options: {
    username,
    to: { kind: 'text', value: 'NAME', summary: 'the new username', required: true },
  },
  async run({ username, to }, context) {
    return withPortico(context, async (portico) => {
      const user = await findOpenAccount(portico, username);
      const by = byCommandLine(portico.clock);
      const problem = await renameUser(by, portico.identity, user, { to, language: LANGUAGE });
      if (problem !== undefined && problem !== 'unchanged') throw refusalOfName(problem);
      const renamed = await portico.identity.reads.findUser(user.id);
      const name = renamed?.username ?? to;
      return {
        json: { id: user.id, username: name, earlier_username: user.username },
        text: `${user.username} is ${name} now. The name ${user.username} stays reserved for the member.`,
      };
    });
  },
});

const signOut = command({
  name: 'user sign-out',
  summary: 'end every sign-in of a member, in browsers and to applications',
  details: 'API tokens keep working. To stop everything, use user set-status.',
  options: { username },
  async run({ username }, context) {
    return withPortico(context, async (portico) => {
      const user = await findOpenAccount(portico, username);
      await endSignIns(byCommandLine(portico.clock), portico.identity, user.id);
      return {
        json: { id: user.id, username: user.username, signed_out: true },
        text: `${user.username} was signed out everywhere.`,
      };
    });
  },
});

const resetFactors = command({
  name: 'user reset-factors',
  summary: 'remove the second factor that a member lost, 24 hours later',
  details:
    'The member is told at once by mail, with a link that cancels it. Signing in with the second factor cancels it too. ' +
    'It also works for operators.',
  options: { username },
  async run({ username }, context) {
    return withPortico(context, async (portico) => {
      const user = await findOpenAccount(portico, username);
      const reset = await askFactorReset(byCommandLine(portico.clock), portico.identity, user);
      if ('problem' in reset) throw new Refusal('no_factor', `${user.username} has no second factor.`);
      const due = new Date(reset.dueAt).toISOString();
      return {
        json: { id: user.id, username: user.username, due },
        text: `The second factor of ${user.username} will be removed on ${due}, unless the member cancels it.`,
      };
    });
  },
});

export const userHelpCommands = [resetLink, setAddress, rename, signOut, resetFactors];

const ADDRESS_PROBLEMS: Record<Exclude<SetEmailProblem, 'unchanged'>, string> = {
  invalid: 'The email address is not valid. Expected an address such as name@example.org, or none.',
  blocked: 'The operators blocked the mail domain of this address.',
  taken: 'Another account has this email address.',
  operator: 'The account is an operator’s.',
  closed: 'The account is closed.',
  changed: 'The account was changed in the meantime. Check it and try again.',
};

function refusalOfAddress(problem: SetEmailProblem): Refusal {
  const message = problem === 'unchanged' ? 'Nothing changed.' : ADDRESS_PROBLEMS[problem];
  return new Refusal(problem === 'closed' ? 'account_closed' : `email_${problem}`, message);
}

function refusalOfName(problem: Exclude<RenamingProblem, 'unchanged'>): Refusal {
  if (problem === 'closed') return new Refusal('account_closed', ADDRESS_PROBLEMS.closed);
  return new Refusal(`username_${problem}`, `--to ${USERNAME_PROBLEMS[problem]}.`);
}
