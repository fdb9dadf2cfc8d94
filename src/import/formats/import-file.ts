// Opening an import file: which format it has, and which reader reads it.

import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { failureReason } from '../../lib/failure-reason.ts';
import { escapeHidden } from '../../lib/one-line.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { ImportFile } from '../record.ts';

export const FORMATS = ['jsonl', 'discourse', 'wxr'] as const;
export type Format = (typeof FORMATS)[number];

/** Open a file of this format. Without a format, the beginning of the file decides. Throws `Refusal`. */
export async function openImportFile(
  path: string,
  format: Format | undefined,
): Promise<ImportFile & { format: Format }> {
  const size = await sizeOf(path);
  const actual = format ?? formatOf(await beginningOf(path));
  const file = await openAs(actual, path, size);
  return { ...file, format: actual, source: escapeHidden(file.source) };
}

// Each reader is loaded with its libraries when a file needs it.
async function openAs(format: Format, path: string, size: number): Promise<ImportFile> {
  if (format === 'wxr') return (await import('./wxr.ts')).readWxr(path, size);
  if (format === 'discourse') return (await import('./discourse.ts')).readDiscourse(path, size);
  return (await import('./json-lines.ts')).readJsonLines(path, size);
}

function formatOf(beginning: string): Format {
  const text = beginning.trimStart();
  if (text.startsWith('<')) return 'wxr';
  return /^\{\s*"(?:categories|category|groups|topics|users)"\s*:/.test(text) ? 'discourse' : 'jsonl';
}

async function sizeOf(path: string): Promise<number> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new Error('it is not a file');
    return stats.size;
  } catch (error) {
    throw new Refusal('file_unreadable', `${resolve(path)} can't be read: ${failureReason(error)}.`);
  }
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(4096), position: 0 });
    return buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '');
  } finally {
    await file.close();
  }
}
