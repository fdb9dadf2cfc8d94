// A file to import: which format it has, and who reads it.

import { open, stat } from 'node:fs/promises';
import { Refusal } from '../lib/refusal.ts';
import type { Reading } from './record.ts';

export const FORMATS = ['jsonl', 'discourse', 'wxr'] as const;
export type Format = (typeof FORMATS)[number];

/** Opens a file of this format, or of the one that its beginning tells. */
export async function openImport(
  path: string,
  given: Format | undefined,
): Promise<Reading & { format: Format }> {
  const size = await sizeOf(path);
  const format = given ?? formatOf(await beginningOf(path));
  return { format, ...(await reading(path, size, format)) };
}

// Each format's reader, and what it stands on, is loaded when it is needed.
async function reading(path: string, size: number, format: Format): Promise<Reading> {
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
    const found = await stat(path);
    if (!found.isFile()) throw new Error('it is not a file');
    return found.size;
  } catch (error) {
    throw new Refusal('file_unreadable', `The file can't be read: ${(error as Error).message}`);
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
