// Scopes in a column: separated by single spaces, in their own order. What is read was written here.

import type { ScopeSet } from '../../oauth/scope.ts';

export function scopesColumn(scopes: ScopeSet): string {
  return scopes.join(' ');
}

export function scopesOf(column: string): ScopeSet {
  let scopes = known.get(column);
  if (scopes === undefined) {
    scopes = Object.freeze(column.split(' ')) as unknown as ScopeSet;
    known.set(column, scopes);
  }
  return scopes;
}

// There are few sets of scopes, and very many rows with one: all of them share it.
const known = new Map<string, ScopeSet>();
