// What an application tells members about itself on the consent page: the scopes that it can't work without, why it
// asks for each scope, and its home page.

import { hasHiddenCharacters } from '../lib/one-line.ts';
import type { Introduction, ReasonLanguage, ScopeReasons } from './client-store.ts';
import { InvalidRegistration } from './invalid-registration.ts';
import { problemWithRedirectUri } from './redirect-uri.ts';
import { isSubset, SCOPES, type Scope, type ScopeSet } from './scope.ts';

const MOST_REASON_CHARACTERS = 200;
const MOST_DESCRIPTION_CHARACTERS = 200;

/** The introduction of an application that says nothing about itself. */
export const NO_INTRODUCTION: Introduction = {
  requiredScopes: [],
  scopeReasons: {},
  homePage: undefined,
  description: '',
};

/** Return the introduction of an application with these scopes. Throws `InvalidRegistration`. */
export function checkedIntroduction(scopes: ScopeSet, introduction: Introduction): Introduction {
  const { requiredScopes, scopeReasons, homePage } = introduction;
  const description = introduction.description.trim();
  if (!isSubset(requiredScopes, scopes)) {
    throw new InvalidRegistration(
      'requiredScopes',
      'A required scope must be among the scopes that the application may request.',
    );
  }
  checkReasons(scopes, scopeReasons);
  const problem = homePage === undefined ? undefined : problemWithHomePage(homePage);
  if (problem !== undefined) throw new InvalidRegistration('homePage', `${homePage}: ${problem}`);
  checkDescription(description);
  return { requiredScopes, scopeReasons, homePage, description };
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

/** The reasons after these changes. An empty text removes the earlier one. */
export function mergedReasons(before: ScopeReasons, changes: ScopeReasons): ScopeReasons {
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
      throw new InvalidRegistration(
        'reasons',
        `There is a reason for ${scope}, which the application may not request.`,
      );
    }
    for (const text of texts) checkReason(scope, text);
  }
}

function checkReason(scope: Scope, text: string): void {
  const { length } = [...text.trim()];
  if (length < 1 || length > MOST_REASON_CHARACTERS) {
    throw new InvalidRegistration(
      'reasons',
      `The reason for ${scope} has ${length} characters; it must have 1 to ${MOST_REASON_CHARACTERS}.`,
    );
  }
  if (hasHiddenCharacters(text)) {
    throw new InvalidRegistration(
      'reasons',
      `The reason for ${scope} contains a line break or a hidden character.`,
    );
  }
}

function checkDescription(description: string): void {
  const { length } = [...description];
  if (length > MOST_DESCRIPTION_CHARACTERS || hasHiddenCharacters(description)) {
    throw new InvalidRegistration(
      'description',
      `The description must be one line of at most ${MOST_DESCRIPTION_CHARACTERS} characters.`,
    );
  }
}

function problemWithHomePage(address: string): string | undefined {
  if (!/^https?:/.test(address)) return 'The home page must be an address that begins with https://.';
  return problemWithRedirectUri(address);
}
