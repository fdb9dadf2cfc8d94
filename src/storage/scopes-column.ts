// Scopes in a column: separated by single spaces, in their own order. What is read was written here.

import type { ScopeSet } from '../oauth/scope.ts';

export function scopesColumn(scopes: ScopeSet): string {
  return scopes.join(' ');
}

export function scopesOf(column: string): ScopeSet {
  return column.split(' ') as unknown as ScopeSet;
}
