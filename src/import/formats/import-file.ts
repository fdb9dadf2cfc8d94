// Opening an import file: which format it has, and which reader reads it.

import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { failureReason } from '../../lib/failure-reason.ts';
import { escapeHidden } from '../../lib/one-line.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { ImportFile } from '../record.ts';
import { type Container, formatOf, isBackup } from './detection.ts';

export const FORMATS = ['jsonl', 'discourse', 'wxr'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * Open a file of this format. Without a format, the beginning of the file decides. `site` is the address of the old
 * site, if it is known. Throws `Refusal`.
 */
export async function openImportFile(
  path: string,
  format: Format | undefined,
  site?: string,
): Promise<ImportFile & { format: Format }> {
  const size = await sizeOf(path);
  const beginning = await beginningOf(path);
  const file = await openAs(
    format === undefined ? formatOf(beginning) : containerOf(format, beginning),
    path,
    size,
    site,
  );
  return { ...file, source: escapeHidden(file.source) };
}

// Each reader is loaded with its libraries when a file needs it.
async function openAs(
  container: Container,
  path: string,
  size: number,
  site: string | undefined,
): Promise<ImportFile & { format: Format }> {
  switch (container) {
    case 'wxr':
      return { ...(await (await import('./wxr.ts')).readWxr(path, size)), format: 'wxr' };
    case 'discourse':
      return { ...(await import('./discourse.ts')).readDiscourse(path, size, site), format: 'discourse' };
    case 'discourse-backup':
      return {
        ...(await import('./discourse-backup.ts')).readDiscourseBackup(path, size, site),
        format: 'discourse',
      };
    case 'jsonl':
      return { ...(await import('./json-lines.ts')).readJsonLines(path, size), format: 'jsonl' };
  }
}

function containerOf(format: Format, beginning: Buffer): Container {
  return format === 'discourse' && isBackup(beginning) ? 'discourse-backup' : format;
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

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(4096), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
