// The fields of a new account, and the rules for them.

import { type BioProblem, problemWithBio } from './bio.ts';
import { emailKeyOf, looksLikeEmail } from './email-address.ts';
import { type GuestRules, hasBlockedDomain } from './guest-rules.ts';
import type { Identity } from './identity.ts';
import { hashPassword } from './password.ts';
import { type PasswordProblem, problemWithPassword } from './password-rules.ts';
import { isReservedName } from './reserved-names.ts';
import type { NewUser } from './store.ts';
import { normalizeUsername, problemWithNewUsername, type UsernameProblem, usernameKey } from './username.ts';

export interface Registration {
  username: string;
  password: string;
  email?: string | undefined;
  bio?: string | undefined;
}

/** What is wrong with a registration, field by field. */
export interface RegistrationProblems {
  username?: UsernameProblem | 'reserved' | 'taken';
  password?: PasswordProblem;
  email?: 'invalid' | 'blocked' | 'taken';
  bio?: BioProblem;
}

/** An account that was created, or everything that is wrong with the registration. */
export type RegistrationOutcome = { id: number; username: string } | { problems: RegistrationProblems };

export interface ValidRegistration {
  username: string;
  password: string;
  email: string | undefined;
  bio: string;
}

/**
 * Trim the fields and check them. Returns all problems at once. `guestRules` is undefined for a person whom the
 * operators trust with any name and address.
 */
export async function checkRegistration(
  identity: Pick<Identity, 'passwordRules'>,
  registration: Registration,
  guestRules: GuestRules | undefined,
): Promise<ValidRegistration | { problems: RegistrationProblems }> {
  const fields = {
    username: normalizeUsername(registration.username),
    password: registration.password,
    email: registration.email?.trim() || undefined,
    bio: registration.bio?.trim() ?? '',
  };
  const problems = { ...(await problemsWith(identity, fields)), ...problemsOfGuest(guestRules, fields) };
  return Object.keys(problems).length > 0 ? { problems } : fields;
}

async function problemsWith(
  { passwordRules }: Pick<Identity, 'passwordRules'>,
  { username, password, email, bio }: ValidRegistration,
): Promise<RegistrationProblems> {
  const problems: RegistrationProblems = {};
  const usernameProblem = problemWithNewUsername(username);
  const passwordProblem = await problemWithPassword(passwordRules, password, { username, email });
  const bioProblem = problemWithBio(bio);
  if (usernameProblem !== undefined) problems.username = usernameProblem;
  if (passwordProblem !== undefined) problems.password = passwordProblem;
  if (bioProblem !== undefined) problems.bio = bioProblem;
  if (email !== undefined && !looksLikeEmail(email)) problems.email = 'invalid';
  return problems;
}

function problemsOfGuest(
  rules: GuestRules | undefined,
  { username, email }: ValidRegistration,
): RegistrationProblems {
  if (rules === undefined) return {};
  const problems: RegistrationProblems = {};
  if (isReservedName(username, rules.reservedNames)) problems.username = 'reserved';
  if (email !== undefined && hasBlockedDomain(rules, email)) problems.email = 'blocked';
  return problems;
}

/**
 * Hash the password and make the record of a new account. `email` is an address that needs no confirmation;
 * the address of the registration is left out.
 */
export async function newUserFrom(
  { username, password, bio }: ValidRegistration,
  { email, isOperator, createdAt }: Pick<NewUser, 'email' | 'isOperator' | 'createdAt'>,
): Promise<NewUser> {
  return {
    username,
    usernameKey: usernameKey(username),
    email,
    emailKey: email === undefined ? undefined : emailKeyOf(email),
    passwordHash: await hashPassword(password),
    bio,
    isOperator,
    createdAt,
  };
}

/** Turn the result of adding an account into the outcome of its registration. */
export function registrationOutcome(
  id: number | 'username_taken' | 'email_taken',
  { username }: NewUser,
): RegistrationOutcome {
  if (id === 'username_taken') return { problems: { username: 'taken' } };
  if (id === 'email_taken') return { problems: { email: 'taken' } };
  return { id, username };
}
