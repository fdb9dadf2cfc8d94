// Scopes in a column: separated by single spaces, in the order of `SCOPES`.

import type { Scope, ScopeSet } from '../../oauth/scope.ts';

export function scopesColumn(scopes: ScopeSet): string {
  return scopes.join(' ');
}

export function scopesOf(column: string): ScopeSet {
  // Only `scopesColumn` writes the column, so every name in it is a scope.
  return column.split(' ') as Scope[];
}
