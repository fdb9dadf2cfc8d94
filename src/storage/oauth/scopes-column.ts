// Scopes in a column: separated by single spaces, in the order of `SCOPES`.

import type { Scope, ScopeSet } from '../../oauth/scope.ts';

export function scopesColumn(scopes: ScopeSet): string {
  return scopes.join(' ');
}

export function scopesOf(column: string): ScopeSet {
  // Only `scopesColumn` writes the column, so every name in it is a scope.
  return column === '' ? [] : (column.split(' ') as Scope[]);
}

/** The scopes of a column that another column has, too. */
export function scopesWithin(column: string, limit: string): ScopeSet {
  const scopes = scopesOf(column);
  if (column === limit) return scopes;
  const limits = scopesOf(limit);
  return scopes.filter((scope) => limits.includes(scope));
}

export function withoutScopes(scopes: ScopeSet, removed: ScopeSet): ScopeSet {
  return scopes.filter((scope) => !removed.includes(scope));
}
