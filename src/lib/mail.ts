// Sends email: to an SMTP server, or into a folder where it can be read.

import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { SECOND } from './clock.ts';
import { failureReason } from './failure-reason.ts';

export interface Letter {
  to: string;
  subject: string;
  text: string;
  /** The sender's name, if the settings have none. */
  senderName: string;
  /** The address that ends mails of this kind with one request (RFC 8058). */
  unsubscribe?: string | undefined;
}

export interface Sender {
  name: string | undefined;
  address: string;
}

/** The email can't be delivered. */
export class Undelivered extends Error {
  /** Whether another attempt is useless. */
  readonly permanent: boolean;

  constructor(reason: string, permanent: boolean) {
    super(reason);
    this.permanent = permanent;
  }
}

/** Sends an email. Throws `Undelivered` if that fails. */
export type Mailer = (letter: Letter) => Promise<void>;

const PATIENCE = 15 * SECOND;

/** Send through the server at an address such as smtps://user:password@mail.example:465. */
export function smtpMailer(url: string, from: Sender): Mailer {
  let transport: Promise<Transporter> | undefined;
  return async (letter) => {
    transport ??= openSmtp(url);
    try {
      await (await transport).sendMail(optionsOf(letter, from));
    } catch (error) {
      throw undelivered(error, placeOf(url));
    }
  };
}

/** Connect to the server, encrypt if the server can, and sign in. Throws `Undelivered`. */
export async function checkSmtp(url: string): Promise<void> {
  const transport = await openSmtp(url);
  try {
    await transport.verify();
  } catch (error) {
    throw undelivered(error, placeOf(url));
  } finally {
    transport.close();
  }
}

/** The host and port of a mail server's address. */
export function placeOf(text: string): string {
  const url = new URL(text);
  return `${url.hostname}:${portOf(url)}`;
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'smtps:' ? 465 : 587);
}

/** Write each email into a file of a folder. `tell` gets the file's path. */
export function folderMailer(folder: string, from: Sender, tell: (file: string) => void): Mailer {
  return async (letter) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ streamTransport: true, buffer: true });
    const { message } = await transport.sendMail(optionsOf(letter, from));
    const file = join(folder, `${randomUUID()}.eml`);
    try {
      // Only the owner may read the files: their links sign in and confirm.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(file, message as Buffer, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      throw new Undelivered(`cannot write to the folder ${folder}: ${failureReason(error)}`, false);
    }
    tell(file);
  };
}

// The library is loaded with the first email, so that a server that sends none starts faster.
async function openSmtp(text: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const auth =
    url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } };
  return createTransport({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: portOf(url),
    secure,
    // A password must not travel unencrypted, except inside one machine.
    requireTLS: !secure && !isLocal && url.username !== '',
    ...auth,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  });
}

function optionsOf(
  { to, subject, text, senderName, unsubscribe }: Letter,
  { name = senderName, address }: Sender,
): SendMailOptions {
  return {
    // Objects and not text, so that nothing in an address becomes another recipient.
    from: { name, address },
    to: { name: '', address: to },
    subject,
    text,
    // RFC 3834: automatic replies must not answer it.
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

// Without the server's reply, which may quote the address or other parts of the email.
function undelivered(error: unknown, place: string): Undelivered {
  const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number };
  // RFC 5321 §4.2.1: only a refusal of the email itself is permanent. The operator can fix a refused
  // password.
  const isAboutEmail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const permanent = isAboutEmail && responseCode !== undefined && responseCode >= 500;
  const status = responseCode === undefined ? '' : ` (${responseCode})`;
  return new Undelivered(
    `cannot ${actThatFailed(code)} ${place}: ${failureReason(error)}${status}`,
    permanent,
  );
}

function actThatFailed(code: string): string {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'sign in to';
  return code === 'EENVELOPE' || code === 'EMESSAGE' ? 'send through' : 'connect to';
}
