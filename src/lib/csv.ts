// CSV for spreadsheets (RFC 4180).

import { escapeHidden } from './one-line.ts';

/** Write values as a line. A list becomes one cell, with spaces between its items, and an object its JSON. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  const text = escapeHidden(textOf(value));
  // A spreadsheet would run a cell that begins with one of these as a formula. In some languages a semicolon ends a
  // cell, and full-width signs count too.
  const safe = typeof value === 'number' ? text : text.replaceAll(/(?<=^|;)(?=[=+@\-＝＋＠－])/gu, "'");
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Write a value as text. An object without fields is empty. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
}
