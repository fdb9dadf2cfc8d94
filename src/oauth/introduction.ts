// What an application tells members about itself on the consent page: the scopes that it can't work without, why it
// asks for each scope, and its home page.

import type { Doer } from '../audit/doer.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Introduction, ReasonLanguage, ScopeReasons } from './client-store.ts';
import { InvalidRegistration } from './invalid-registration.ts';
import { problemWithRedirectUri } from './redirect-uri.ts';
import { isSubset, SCOPES, type Scope, type ScopeSet } from './scope.ts';

const MOST_REASON_CHARACTERS = 200;

/** The introduction of an application that says nothing about itself. */
export const NO_INTRODUCTION: Introduction = { requiredScopes: [], scopeReasons: {}, homePage: undefined };

/** Return the introduction of an application with these scopes. Throws `InvalidRegistration`. */
export function checkedIntroduction(scopes: ScopeSet, introduction: Introduction): Introduction {
  const { requiredScopes, scopeReasons, homePage } = introduction;
  if (!isSubset(requiredScopes, scopes)) {
    throw new InvalidRegistration(
      'A required scope must be among the scopes that the application may request.',
    );
  }
  checkReasons(scopes, scopeReasons);
  const problem = homePage === undefined ? undefined : problemWithHomePage(homePage);
  if (problem !== undefined) throw new InvalidRegistration(`${homePage}: ${problem}`);
  return { requiredScopes, scopeReasons, homePage };
}

/**
 * Change what an application says about itself. Properties that are left out stay as they are. False if there is no
 * such application. Throws `InvalidRegistration`.
 */
export async function introduceClient(
  by: Doer,
  { reads, writes }: AuthorizationServer,
  clientId: string,
  changes: Partial<Introduction>,
): Promise<boolean> {
  const client = await reads.findClient(clientId);
  if (client === undefined) return false;
  const scopeReasons = mergedReasons(client.scopeReasons, changes.scopeReasons ?? {});
  const introduction = { ...client, ...changes, scopeReasons };
  return writes.setIntroduction(by, clientId, checkedIntroduction(client.scopes, introduction));
}

/** The application's reason for a scope, in this language or else in the other one. */
export function reasonFor(
  { scopeReasons }: Introduction,
  scope: Scope,
  language: ReasonLanguage,
): string | undefined {
  const reason = scopeReasons[scope];
  return reason?.[language] ?? reason?.en ?? reason?.zh;
}

// An empty reason removes the earlier one.
function mergedReasons(before: ScopeReasons, changes: ScopeReasons): ScopeReasons {
  const merged = SCOPES.map((scope) => {
    const texts = Object.entries({ ...before[scope], ...changes[scope] }).filter(([, text]) => text !== '');
    return [scope, Object.fromEntries(texts)] as const;
  });
  return Object.fromEntries(merged.filter(([, texts]) => Object.keys(texts).length > 0));
}

function checkReasons(scopes: ScopeSet, reasons: ScopeReasons): void {
  for (const scope of SCOPES) {
    const texts = Object.values(reasons[scope] ?? {});
    if (texts.length > 0 && !scopes.includes(scope)) {
      throw new InvalidRegistration(`There is a reason for ${scope}, which the application may not request.`);
    }
    for (const text of texts) checkReason(scope, text);
  }
}

function checkReason(scope: Scope, text: string): void {
  const { length } = [...text.trim()];
  if (length < 1 || length > MOST_REASON_CHARACTERS) {
    throw new InvalidRegistration(
      `The reason for ${scope} has ${length} characters; it must have 1 to ${MOST_REASON_CHARACTERS}.`,
    );
  }
  if (hasHiddenCharacters(text)) {
    throw new InvalidRegistration(`The reason for ${scope} contains a line break or a hidden character.`);
  }
}

function problemWithHomePage(address: string): string | undefined {
  if (!/^https?:/.test(address)) return 'The home page must be an address that begins with https://.';
  return problemWithRedirectUri(address);
}
