// The scopes of tokens (spec §2.6, §4.1), and sets of them.

/** All scopes, in the order in which they are stored and sent. */
export const SCOPES = ['openid', 'profile:read', 'posts:read'] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes for reading from the API. The scope openid is for signing in only. */
export const API_SCOPES = ['profile:read', 'posts:read'] as const satisfies readonly Scope[];

export type ApiScope = (typeof API_SCOPES)[number];

export function isApiScope(scope: Scope): scope is ApiScope {
  return (API_SCOPES as readonly Scope[]).includes(scope);
}

/** Each scope at most once, in the order of `SCOPES`. */
export type ScopeSet = readonly Scope[];

// RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E )
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** Read a space-separated list without its unknown scopes. Undefined if a name is not a scope-token. */
export function parseScope(text: string): ScopeSet | undefined {
  const names = text.split(' ').filter((name) => name !== '');
  if (!names.every((name) => SCOPE_TOKEN.test(name))) return undefined;
  return scopeSet(names);
}

const MOST_NAMED = 100;

/**
 * Quote the scopes that a request asked for, for its developer, without quotation marks and backslashes (RFC 6749
 * §5.2) and not longer than a sentence takes.
 */
export function namesOfScopes(text: string): string {
  const names = text.replaceAll(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, '?').trim();
  return names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED)}...` : names || 'none';
}

/** The reason of a refusal: not one of the names is a scope. */
export function noKnownScope(text: string): string {
  return `None of the scopes asked for is known: ${namesOfScopes(text)}. Known are ${SCOPES.join(', ')}.`;
}

/** List the names that are no scopes, each once. */
export function unknownScopes(text: string): string[] {
  const names = new Set(text.split(' ').filter((name) => name !== ''));
  return [...names].filter((name) => !(SCOPES as readonly string[]).includes(name));
}

/** Collect the known scopes among the names. */
export function scopeSet(names: Iterable<string>): ScopeSet {
  const set = new Set(names);
  return SCOPES.filter((scope) => set.has(scope));
}

/** Write a set as tokens and answers have it: separated by single spaces (spec §2.1). */
export function formatScope(scopes: ScopeSet): string {
  return scopes.join(' ');
}

export function union(a: ScopeSet, b: ScopeSet): ScopeSet {
  return scopeSet([...a, ...b]);
}

export function intersection(a: ScopeSet, b: ScopeSet): ScopeSet {
  return a.filter((scope) => b.includes(scope));
}

export function difference(a: ScopeSet, b: ScopeSet): ScopeSet {
  return a.filter((scope) => !b.includes(scope));
}

export function isSubset(a: ScopeSet, b: ScopeSet): boolean {
  return a.every((scope) => b.includes(scope));
}
