// One record for people.

import { textOf } from '../lib/csv.ts';

/** One line for each field. */
export function sheet(record: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${sheetValue(value)}`)
    .join('\n');
}

function sheetValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.join(', ');
  return textOf(value) || '–';
}
