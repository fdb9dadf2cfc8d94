// Signing up: how a visitor creates an account.

import { attemptedFrom, type TooFast } from '../lib/attempt.ts';
import { breachProblem } from './breach-check.ts';
import { confirmationForNewUser } from './email.ts';
import { type GuestRules, isBlockedNetwork } from './guest-rules.ts';
import type { Identity } from './identity.ts';
import { openInvitation } from './invitation.ts';
import { localRules } from './password-rules.ts';
import { BUSY, inPasswordTurn } from './password-turns.ts';
import {
  checkRegistration,
  newUserFrom,
  type Registration,
  type RegistrationOutcome,
} from './registration.ts';
import { usernameKey } from './username.ts';

// From the larger network around an IPv6 address, compared with a single address.
const MORE_FROM_NETWORK = 4;

/** Who can sign up on this site: everyone, people with an invitation, or no one. */
export const SIGN_UP_MODES = ['open', 'invitation', 'closed'] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

export interface SignUpRequest {
  registration: Registration;
  mode: SignUpMode;
  /** The text in the invitation's link. Undefined: the visitor has no invitation. */
  invitation: string | undefined;
  /** The visitor's network address, which limits sign-ups without an invitation. */
  address: string;
  language: string;
}

export type SignUp =
  | RegistrationOutcome
  | { refused: 'closed' | 'invitation' | 'blocked_network' }
  | ({ refused: 'too_many' } & TooFast);

/**
 * Create an account for a visitor. The account gets the email address only after the visitor confirms it. The
 * answer doesn't tell whether another account has the address; only the mail to that address does.
 */
export async function signUpVisitor(identity: Identity, request: SignUpRequest): Promise<SignUp> {
  const { registration, mode, language } = request;
  if (mode === 'closed') return { refused: 'closed' };
  const guestRules = await identity.guestRules();
  if (isBlockedNetwork(guestRules, request.address)) return { refused: 'blocked_network' };
  const invitation = await openInvitation(identity, request.invitation ?? '');
  if (mode === 'invitation' && invitation === undefined) return { refused: 'invitation' };
  const passwordRules = localRules(identity.passwordRules);
  const fields = await checkRegistration({ passwordRules }, registration, guestRules);
  if ('problems' in fields) return fields;
  const usernameTaken = { problems: { username: 'taken' } } as const;
  // This comes before the limit, so that a visitor can try usernames until one is free.
  if ((await identity.reads.findUserByAnyName(usernameKey(fields.username))) !== undefined)
    return usernameTaken;
  const breach = await breachProblem(identity, fields.password, request.address);
  if (breach === 'breached') return { problems: { password: breach } };
  if (breach !== undefined) return { refused: 'too_many', ...breach };
  const tooFast =
    invitation === undefined ? await countSignUp(identity, request.address, guestRules) : undefined;
  if (tooFast !== undefined) return { refused: 'too_many', ...tooFast };
  const createdAt = identity.clock();
  const user = await inPasswordTurn(request.address, () =>
    newUserFrom(fields, { email: undefined, isOperator: false, createdAt }),
  );
  if (user === undefined) return { refused: 'too_many', ...BUSY };
  const mail = await confirmationForNewUser(identity, fields.email, language);
  const id = await identity.writes.register(user, { invitation, mail });
  if (id === 'username_taken') return usernameTaken;
  if (id === 'invitation_unusable') return { refused: 'invitation' };
  if (mail !== undefined) identity.onMail?.();
  return { id, username: user.username };
}

// Within an hour. Sign-ups with an invitation don't count.
function countSignUp(
  identity: Identity,
  address: string,
  { signUpsPerHour }: GuestRules,
): Promise<TooFast | undefined> {
  return attemptedFrom(identity, identity.clock(), 'join from', {
    address,
    most: signUpsPerHour,
    mostOfNetwork: signUpsPerHour * MORE_FROM_NETWORK,
  });
}
