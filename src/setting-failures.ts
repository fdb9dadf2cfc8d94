// Settings that were valid and did not work: one line for the operator, with the setting, the host or path, and the
// reason.

import { resolve } from 'node:path';
import { failureReason } from './lib/failure-reason.ts';
import type { FilesLocation } from './lib/open-file-store.ts';
import type { DatabaseLocation } from './setting-values.ts';

/** Say why the database can't be used. */
export function databaseFailure(database: DatabaseLocation, error: unknown): string {
  const act =
    database.kind === 'sqlite'
      ? `cannot open ${resolve(database.path)}`
      : `cannot connect to ${hostOf(database.url, 5432)}`;
  return `DATABASE_URL: ${act}: ${failureReason(error)}`;
}

/** Say why Redis can't be used. */
export function redisFailure(url: string, error: unknown): string {
  return `REDIS_URL: cannot count in ${hostOf(url, 6379)}: ${failureReason(error)}`;
}

/** Say why pictures can't be kept where a setting says. */
export function filesFailure(
  setting: 'FILES_URL' | 'EARLIER_FILES_URL',
  files: FilesLocation,
  error: unknown,
): string {
  return `${setting}: cannot keep files in ${placeOfFiles(files)}: ${failureReason(error)}`;
}

/** The folder, or the address of the bucket. */
export function placeOfFiles(files: FilesLocation): string {
  return files.kind === 'folder' ? resolve(files.path) : files.url;
}

/** Say why the server can't listen. The setting is the one to change. */
export function listenFailure(setting: 'PORT' | 'METRICS_PORT', host: string, port: number, error: unknown) {
  const { code } = error as NodeJS.ErrnoException;
  const culprit = code === 'EADDRINUSE' || code === 'EACCES' ? setting : 'HOST';
  return `${culprit}: cannot listen on ${host}:${port}: ${failureReason(error)}`;
}

/** The host and port of an address, without user, password and path. */
function hostOf(address: string, defaultPort: number): string {
  const url = URL.parse(address);
  // A socket's folder can be in the query of a PostgreSQL address.
  const host = url?.hostname || url?.searchParams.get('host') || 'localhost';
  return `${host}:${url?.port || defaultPort}`;
}
