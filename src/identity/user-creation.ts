// Accounts that an operator creates, and the account of the first operator.

import type { Doer, SystemDoer } from '../audit/doer.ts';
import { confirmationForNewUser } from './email.ts';
import type { Identity } from './identity.ts';
import {
  checkRegistration,
  newUserFrom,
  type Registration,
  type RegistrationOutcome,
  registrationOutcome,
} from './registration.ts';

/**
 * Create an account with the address in the registration: the operator vouches for it. Operators can have a
 * reserved name, and others if `mayHaveReservedName` is true.
 */
export async function createUser(
  by: Doer,
  identity: Identity,
  registration: Registration & { isOperator?: boolean; mayHaveReservedName?: boolean },
): Promise<RegistrationOutcome> {
  const { isOperator = false, mayHaveReservedName = isOperator } = registration;
  const rules = { ...(await identity.guestRules()), blockedMailDomains: [] };
  const fields = await checkRegistration(identity, registration, mayHaveReservedName ? undefined : rules);
  if ('problems' in fields) return fields;
  const user = await newUserFrom(fields, { email: fields.email, isOperator, createdAt: by.at });
  return registrationOutcome(await identity.writes.addUser(by, user), user);
}

/**
 * Create the first operator's account. Its address gets a confirmation mail, as any member's does. Undefined
 * if the site has an operator already; of parallel calls only one creates an account.
 */
export async function createFirstOperator(
  by: SystemDoer,
  identity: Identity,
  registration: Registration,
  language: string,
): Promise<RegistrationOutcome | undefined> {
  const fields = await checkRegistration(identity, registration, undefined);
  if ('problems' in fields) return fields;
  const user = await newUserFrom(fields, { email: undefined, isOperator: true, createdAt: by.at });
  const mail = await confirmationForNewUser(identity, fields.email, language);
  const id = await identity.writes.addFirstOperator(by, user, mail);
  if (id === undefined) return undefined;
  if (mail !== undefined) identity.onMail?.();
  return registrationOutcome(id, user);
}
