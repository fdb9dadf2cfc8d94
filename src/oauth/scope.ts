// What a token may be used for (spec §2.6, §4.1), and the arithmetic of sets of it.

/** The scopes that Portico knows, in the order in which they are written. */
export const SCOPES = ['openid', 'profile:read', 'posts:read'] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes that let something be read from the API; `openid` only signs in. */
export const API_SCOPES = ['profile:read', 'posts:read'] as const satisfies readonly Scope[];

export type ApiScope = (typeof API_SCOPES)[number];

export function isApiScope(scope: Scope): scope is ApiScope {
  return (API_SCOPES as readonly Scope[]).includes(scope);
}

/** Without repetition, in the order of `SCOPES`. */
export type ScopeSet = readonly Scope[];

// RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E )
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** Reads a space-separated list. Unknown scopes are left out; undefined if a name is not a scope-token at all. */
export function parseScope(text: string): ScopeSet | undefined {
  const names = text.split(' ').filter((name) => name !== '');
  if (!names.every((name) => SCOPE_TOKEN.test(name))) return undefined;
  return scopeSet(names);
}

/** The known ones among the names, each once. */
export function scopeSet(names: Iterable<string>): ScopeSet {
  const named = new Set(names);
  return SCOPES.filter((scope) => named.has(scope));
}

/** As it is stored and sent: separated by a single space (spec §2.1). */
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
