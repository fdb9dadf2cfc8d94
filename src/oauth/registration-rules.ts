// What the name, the addresses and the scopes of an application can be.

import { hasHiddenCharacters } from '../lib/one-line.ts';
import { InvalidRegistration } from './invalid-registration.ts';
import { problemWithRedirectUri } from './redirect-uri.ts';
import { SCOPES } from './scope.ts';

export const MOST_REDIRECT_URIS = 20;

interface Registered {
  name: string;
  redirectUris: readonly string[];
  scopes?: readonly string[] | undefined;
  postLogoutRedirectUris?: readonly string[] | undefined;
}

/** Throw `InvalidRegistration` if an application can't be registered like this. */
export function checkRegistration(registration: Registered): void {
  const { name, redirectUris, scopes, postLogoutRedirectUris = [] } = registration;
  checkName(name);
  if (redirectUris.length === 0) {
    throw new InvalidRegistration('redirectUris', 'At least one redirect URI is needed.');
  }
  if (redirectUris.length > MOST_REDIRECT_URIS || postLogoutRedirectUris.length > MOST_REDIRECT_URIS) {
    throw new InvalidRegistration(
      'redirectUris',
      `At most ${MOST_REDIRECT_URIS} redirect URIs of each kind can be registered.`,
    );
  }
  for (const uri of [...redirectUris, ...postLogoutRedirectUris]) {
    const problem = problemWithRedirectUri(uri);
    if (problem !== undefined) throw new InvalidRegistration('redirectUris', `${uri}: ${problem}`);
  }
  checkDuplicates(redirectUris);
  checkDuplicates(postLogoutRedirectUris);
  if (scopes !== undefined) checkScopes(scopes);
}

function checkName(name: string): void {
  const length = [...name.trim()].length;
  if (length < 1 || length > 60) {
    throw new InvalidRegistration('name', 'The name must have 1 to 60 characters.');
  }
  if (hasHiddenCharacters(name)) {
    throw new InvalidRegistration('name', 'The name contains a hidden character.');
  }
}

function checkDuplicates(uris: readonly string[]): void {
  const twice = uris.find((uri, index) => uris.indexOf(uri) !== index);
  if (twice !== undefined) {
    throw new InvalidRegistration('redirectUris', `${twice}: The address is listed twice.`);
  }
}

function checkScopes(scopes: readonly string[]): void {
  const unknownScope = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknownScope !== undefined) {
    throw new InvalidRegistration('scopes', `Unknown scope ${unknownScope}; there are ${SCOPES.join(', ')}.`);
  }
  if (scopes.length === 0) throw new InvalidRegistration('scopes', 'At least one scope is needed.');
}
