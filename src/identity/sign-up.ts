// Making an account.

import { attempted, hourlyLimit, type TooFast } from '../lib/attempt.ts';
import { limitOfAddress } from './email.ts';
import { emailKeyOf, looksLikeEmail } from './email-address.ts';
import type { Identity } from './identity.ts';
import { openInvitation } from './invitation.ts';
import type { FirstMail } from './mail-store.ts';
import { hashPassword, type PasswordProblem, problemWithPassword } from './password.ts';
import type { NewUser } from './store.ts';
import { problemWithBio } from './user.ts';
import { normalizeUsername, problemWithUsername, type UsernameProblem, usernameKey } from './username.ts';

// Within an hour. Whoever has an invitation is not counted.
const MOST_ACCOUNTS_FROM_ADDRESS = 5;

export interface Registration {
  username: string;
  password: string;
  email?: string | undefined;
  bio?: string | undefined;
  isOperator?: boolean;
}

/** What is wrong with a registration, field by field. */
export interface RegistrationProblems {
  username?: UsernameProblem | 'taken';
  password?: PasswordProblem;
  email?: 'invalid' | 'taken';
  bio?: 'too_long' | 'hidden_characters';
}

export type SignUp = { id: number; username: string } | { problems: RegistrationProblems };

/**
 * Makes an account on an operator's word, with the address that they give. Says everything that is wrong with the
 * registration at once.
 */
export async function signUp(identity: Identity, registration: Registration): Promise<SignUp> {
  const checked = check(registration);
  if ('problems' in checked) return checked;
  const user = await newUser(identity, registration, checked, checked.email);
  return answer(await identity.writes.addUser(user), user);
}

export interface Joining {
  registration: Registration;
  /** Who can make an account on this site. */
  mode: SignUpMode;
  /** What came with the invitation's link, if any. */
  invitation: string | undefined;
  /** Where it comes from: accounts that anyone can make are bounded by it. */
  address: string;
  language: string;
}

export type SignUpMode = 'open' | 'invitation' | 'closed';

export type Joined =
  | { id: number; username: string }
  | { problems: RegistrationProblems }
  | { refused: 'closed' | 'invitation' }
  | ({ refused: 'too_many' } & TooFast);

/**
 * Makes an account for a visitor. The address that they give is not the account's until they have confirmed it, and
 * nothing tells whether it is somebody's already: the mail that goes to it does.
 */
export async function join(identity: Identity, joining: Joining): Promise<Joined> {
  const { registration, mode, language } = joining;
  if (mode === 'closed') return { refused: 'closed' };
  const invitation = await openInvitation(identity, joining.invitation ?? '');
  if (mode === 'invitation' && invitation === undefined) return { refused: 'invitation' };
  const checked = check(registration);
  if ('problems' in checked) return checked;
  const taken = { problems: { username: 'taken' } } as const;
  // Told before anything is counted: looking for a name that is free must not use up the bound.
  if ((await identity.reads.findUserByName(usernameKey(checked.username))) !== undefined) return taken;
  const refused = invitation === undefined ? await countAccount(identity, joining.address) : undefined;
  if (refused !== undefined) return refused;
  const user = await newUser(identity, { ...registration, isOperator: false }, checked, undefined);
  const mail = await mailToConfirm(identity, checked.email, language);
  const id = await identity.writes.register(user, { invitation, mail });
  if (id === 'username_taken') return taken;
  if (id === 'invitation_unusable') return { refused: 'invitation' };
  if (mail !== undefined) identity.onMail?.();
  return { id, username: user.username };
}

/**
 * Makes the first operator's account, for whom an address must be confirmed as for anyone. Undefined if there is an
 * operator already: of parallel calls only one makes an account.
 */
export async function signUpFirstOperator(
  identity: Identity,
  registration: Registration,
  language = 'en',
): Promise<SignUp | undefined> {
  const checked = check(registration);
  if ('problems' in checked) return checked;
  const user = await newUser(identity, { ...registration, isOperator: true }, checked, undefined);
  const mail = await mailToConfirm(identity, checked.email, language);
  const id = await identity.writes.addFirstOperator(user, mail);
  if (id === undefined) return undefined;
  if (mail !== undefined) identity.onMail?.();
  return answer(id, user);
}

// Undefined: it may be made.
async function countAccount(identity: Identity, address: string): Promise<Joined | undefined> {
  const limit = hourlyLimit(identity.clock(), MOST_ACCOUNTS_FROM_ADDRESS, 'join from', address);
  const tooFast = await attempted(identity, limit);
  return tooFast && { refused: 'too_many', ...tooFast };
}

// Nobody is told that an address gets no more mail: it would tell what others asked for.
async function mailToConfirm(
  { writes, clock }: Identity,
  email: string | undefined,
  language: string,
): Promise<FirstMail | undefined> {
  if (email === undefined) return undefined;
  const now = clock();
  const { subject, most, closesAt } = limitOfAddress(email, now);
  if (!(await writes.countAttempt(subject, most, now, closesAt))) return undefined;
  return { purpose: 'confirm', email, language, createdAt: now };
}

interface Checked {
  username: string;
  email: string | undefined;
  bio: string;
}

function check(registration: Registration): Checked | { problems: RegistrationProblems } {
  const username = normalizeUsername(registration.username);
  const email = registration.email?.trim() || undefined;
  const bio = registration.bio?.trim() ?? '';
  const problems = problemsWith(username, registration.password, email, bio);
  return Object.keys(problems).length > 0 ? { problems } : { username, email, bio };
}

async function newUser(
  identity: Identity,
  { password, isOperator = false }: Registration,
  { username, bio }: Checked,
  email: string | undefined,
): Promise<NewUser> {
  return {
    username,
    usernameKey: usernameKey(username),
    email,
    emailKey: email === undefined ? undefined : emailKeyOf(email),
    passwordHash: await hashPassword(password),
    bio,
    isOperator,
    createdAt: identity.clock(),
  };
}

function problemsWith(
  username: string,
  password: string,
  email: string | undefined,
  bio: string,
): RegistrationProblems {
  const problems: RegistrationProblems = {};
  const usernameProblem = problemWithUsername(username);
  const passwordProblem = problemWithPassword(password, username);
  const bioProblem = problemWithBio(bio);
  if (usernameProblem !== undefined) problems.username = usernameProblem;
  if (passwordProblem !== undefined) problems.password = passwordProblem;
  if (bioProblem !== undefined) problems.bio = bioProblem;
  if (email !== undefined && !looksLikeEmail(email)) problems.email = 'invalid';
  return problems;
}

function answer(id: number | 'username_taken' | 'email_taken', { username }: NewUser): SignUp {
  if (id === 'username_taken') return { problems: { username: 'taken' } };
  if (id === 'email_taken') return { problems: { email: 'taken' } };
  return { id, username };
}
