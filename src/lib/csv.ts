// CSV for spreadsheets (RFC 4180).

import { escapeHidden } from './one-line.ts';

/** Write values as a line. A list becomes one cell, with spaces between its items. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  const text = escapeHidden(Array.isArray(value) ? value.join(' ') : String(value ?? ''));
  // A spreadsheet would run a cell that begins with one of these as a formula. In some languages a semicolon ends a
  // cell, and full-width signs count too.
  const safe = typeof value === 'number' ? text : text.replaceAll(/(?<=^|;)(?=[=+@\-＝＋＠－])/gu, "'");
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
