// Making an account.

import type { Identity } from './identity.ts';
import { hashPassword, type PasswordProblem, problemWithPassword } from './password.ts';
import type { NewUser } from './store.ts';
import { problemWithBio } from './user.ts';
import { normalizeUsername, problemWithUsername, type UsernameProblem, usernameKey } from './username.ts';

// RFC 5321 §4.5.3.1.3, without the brackets around it.
const MOST_EMAIL_CHARACTERS = 254;

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

/** Makes an account, or says everything that is wrong with the registration at once. */
export async function signUp(identity: Identity, registration: Registration): Promise<SignUp> {
  const prepared = await prepare(identity, registration);
  if ('problems' in prepared) return prepared;
  return answer(await identity.store.addUser(prepared), prepared);
}

/**
 * Makes the first operator's account. Undefined if there is an operator already: of parallel calls only one makes an
 * account.
 */
export async function signUpFirstOperator(
  identity: Identity,
  registration: Registration,
): Promise<SignUp | undefined> {
  const prepared = await prepare(identity, { ...registration, isOperator: true });
  if ('problems' in prepared) return prepared;
  const id = await identity.store.addFirstOperator(prepared);
  return id === undefined ? undefined : answer(id, prepared);
}

async function prepare(
  identity: Identity,
  registration: Registration,
): Promise<NewUser | { problems: RegistrationProblems }> {
  const username = normalizeUsername(registration.username);
  const email = registration.email?.trim() || undefined;
  const bio = registration.bio?.trim() ?? '';
  const problems = problemsWith(username, registration.password, email, bio);
  if (Object.keys(problems).length > 0) return { problems };
  return {
    username,
    usernameKey: usernameKey(username),
    email,
    emailKey: email?.normalize('NFKC').toLowerCase(),
    passwordHash: await hashPassword(registration.password),
    bio,
    isOperator: registration.isOperator ?? false,
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

// Only a mail that arrives proves an address; this catches typing errors. The length goes first: the pattern takes time
// by its square.
function looksLikeEmail(text: string): boolean {
  return text.length <= MOST_EMAIL_CHARACTERS && /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(text);
}

function answer(id: number | 'username_taken' | 'email_taken', { username }: NewUser): SignUp {
  if (id === 'username_taken') return { problems: { username: 'taken' } };
  if (id === 'email_taken') return { problems: { email: 'taken' } };
  return { id, username };
}
