// Sending mail: to a server that takes it, or into a folder where it can be read.

import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { SECOND } from './clock.ts';

export interface Letter {
  to: string;
  subject: string;
  text: string;
}

export interface Sender {
  name: string;
  address: string;
}

/** The mail can not be delivered. */
export class Undelivered extends Error {
  /** Whether trying again is of no use. */
  readonly permanent: boolean;

  constructor(reason: string, permanent: boolean) {
    super(reason);
    this.permanent = permanent;
  }
}

/** Takes a mail; throws `Undelivered` if it can't. */
export type Mailer = (letter: Letter) => Promise<void>;

const PATIENCE = 15 * SECOND;

/** Hands mails to the server at an address such as smtps://user:password@mail.example:465. */
export function smtpMailer(url: string, from: Sender): Mailer {
  let transport: Promise<Transporter> | undefined;
  return async (letter) => {
    transport ??= openSmtp(url);
    try {
      await (await transport).sendMail(optionsOf(letter, from));
    } catch (error) {
      throw undelivered(error);
    }
  };
}

/** Writes mails into a folder, one file each. `tell` gets the file's path. */
export function folderMailer(folder: string, from: Sender, tell: (file: string) => void): Mailer {
  return async (letter) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ streamTransport: true, buffer: true });
    const { message } = await transport.sendMail(optionsOf(letter, from));
    const file = join(folder, `${randomUUID()}.eml`);
    try {
      // Whoever reads the links can use them.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(file, message as Buffer, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      throw new Undelivered(
        `the folder can not be written to: ${(error as NodeJS.ErrnoException).code}`,
        false,
      );
    }
    tell(file);
  };
}

// Loaded here: who sends no mail need not hold what it takes.
async function openSmtp(text: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const auth =
    url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } };
  return createTransport({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // A password must not travel in clear, except inside one machine.
    requireTLS: !secure && !isHere && url.username !== '',
    ...auth,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  });
}

function optionsOf({ to, subject, text }: Letter, from: Sender): SendMailOptions {
  return {
    // As data, not as text: nothing in an address is taken for another recipient.
    from,
    to: { name: '', address: to },
    subject,
    text,
    // RFC 3834: no machine answers it.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

// Only codes: what a server says may quote the address, and its greeting what it was sent.
function undelivered(error: unknown): Undelivered {
  const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number };
  // RFC 5321 §4.2.1, of the mail itself: a refused password or encryption is the operator's to mend.
  const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const permanent = isOfMail && responseCode !== undefined && responseCode >= 500;
  return new Undelivered(responseCode === undefined ? code : `${code} ${responseCode}`, permanent);
}
