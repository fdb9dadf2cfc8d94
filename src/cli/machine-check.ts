// What `doctor` checks on this machine: folders, space on disk, backups, and the mail server and Redis that it uses.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Portico } from '../compose.ts';
import type { Config } from '../config.ts';
import { DAY, HOUR, type Timestamp } from '../lib/clock.ts';
import { failureReason } from '../lib/failure-reason.ts';
import { redisFailure } from '../setting-failures.ts';
import type { Checkup } from './checkup.ts';

const MEGABYTE = 1024 * 1024;
/** With less space, a disk is as good as full. */
export const LEAST_FREE = 100 * MEGABYTE;
// A backup can fail once without a warning, and a manual one may be a day late.
const LATE_AFTER = 2;

/** Check the folders that the server writes to. */
export async function checkFolders({ database, mail }: Config, checkup: Checkup): Promise<void> {
  if (database.kind === 'sqlite') {
    const path = resolve(database.path);
    await checkup.step(
      'folder of the database',
      () => checkFolder(dirname(path), statSync(path).size),
      String,
    );
  }
  if (mail.smtpUrl !== undefined) return;
  checkup.warn(
    'mail',
    `SMTP_URL is not set, so mails are written to ${resolve(mail.outbox)} and reach nobody`,
  );
}

// Twice the size of the database: for a backup beside it, and for the log of a long read.
function checkFolder(folder: string, databaseBytes: number): string {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(`cannot write to ${folder}: ${failureReason(error)}`);
  }
  const free = freeBytes(folder);
  const needed = Math.max(LEAST_FREE, 2 * databaseBytes);
  if (free < needed)
    throw new Error(`${folder} has only ${inMegabytes(free)} free, and needs ${inMegabytes(needed)}`);
  return `${folder}, ${inMegabytes(free)} free`;
}

/** How many bytes the disk of a folder has left. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / MEGABYTE).toLocaleString('en')} MB`;
}

/** Check the age of the newest backup in BACKUP_TO. */
export async function checkBackups({ config: { backup }, clock }: Portico, checkup: Checkup): Promise<void> {
  const { folder, everyMs = DAY } = backup;
  if (folder === undefined) {
    checkup.warn('backups', 'BACKUP_TO is not set, so nothing is known of backups');
    return;
  }
  const { newestBackup } = await import('../operations.ts');
  await checkup.step(
    'backups',
    () => {
      if (!existsSync(folder)) throw new Error(`BACKUP_TO: there is no folder ${resolve(folder)}`);
      const newest = newestBackup(folder, clock());
      if (newest === undefined) throw new Error(`there is no backup in ${resolve(folder)}`);
      const age = clock() - newest.at;
      if (age > LATE_AFTER * everyMs) throw new Error(`the newest is ${inHours(age)} old: ${newest.path}`);
      return `the newest is ${inHours(age)} old: ${newest.path}`;
    },
    String,
  );
}

function inHours(age: Timestamp): string {
  const hours = Math.floor(age / HOUR);
  return `${hours} ${hours === 1 ? 'hour' : 'hours'}`;
}

/** Connect to the mail server and sign in. With an address, send it a mail. */
export async function checkMail(config: Config, checkup: Checkup, to: string | undefined): Promise<void> {
  const { mail, siteName, baseUrl } = config;
  const { smtpUrl, from } = mail;
  const { checkSmtp, folderMailer, placeOf, smtpMailer } = await import('../lib/mail.ts');
  const withSetting = (error: unknown) => {
    throw new Error(
      smtpUrl === undefined ? (error as Error).message : `SMTP_URL: ${(error as Error).message}`,
    );
  };
  if (smtpUrl !== undefined) {
    const connected = await checkup.step(
      `mail server ${placeOf(smtpUrl)}`,
      async () => {
        await checkSmtp(smtpUrl).catch(withSetting);
        return new URL(smtpUrl).username === '' ? 'connected' : 'connected and signed in';
      },
      String,
    );
    if (connected === undefined) return;
  }
  if (to === undefined) return;
  const written: string[] = [];
  const mailer =
    smtpUrl === undefined
      ? folderMailer(mail.outbox, from, (file) => written.push(file))
      : smtpMailer(smtpUrl, from);
  const letter = {
    to,
    subject: `Test mail from ${siteName}`,
    senderName: from.name ?? siteName,
    text: `The mail server of ${baseUrl} works. An operator sent this with doctor --mail-to.\n`,
  };
  await checkup.step(
    'send a mail',
    () => mailer(letter).catch(withSetting),
    () =>
      written[0] === undefined ? `from ${from.address}; look into the inbox of ${to}` : `wrote ${written[0]}`,
  );
}

/** Count once in Redis. */
export async function checkRedis({ redisUrl }: Config, checkup: Checkup): Promise<void> {
  if (redisUrl === undefined) return;
  await checkup.step('redis', async () => {
    const { redisCounter } = await import('../lib/redis-counter.ts');
    const counter = redisCounter(redisUrl);
    try {
      // The key expires after a second.
      await counter.hit('doctor', 1000, 1);
    } catch (error) {
      throw new Error(redisFailure(redisUrl, error));
    } finally {
      await counter.close();
    }
  });
}
