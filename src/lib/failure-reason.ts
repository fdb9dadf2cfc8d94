// The reason of a failed connection or file operation, in words for an operator: no codes, no library's sentences.

/** Say in a few words why a connection or a file operation failed. Quotes neither addresses nor secrets. */
export function failureReason(error: unknown): string {
  for (const link of chainOf(error)) {
    const known = knownReason(link);
    if (known !== undefined) return known;
  }
  const { code, message = '' } = chainOf(error).at(-1) ?? { message: String(error) };
  return code === undefined ? firstLine(message) : `error ${code}`;
}

/** Report whether there was no room left: on a disk, in a database, or in a bucket. */
export function isDiskFull(error: unknown): boolean {
  return chainOf(error).some(
    ({ code = '', errcode = 0, status }) =>
      FULL.has(String(code)) || (errcode & 0xff) === SQLITE_FULL || status === INSUFFICIENT_STORAGE,
  );
}

// Of the disk or of its user, and PostgreSQL's.
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', '53100']);
const SQLITE_FULL = 13;
const INSUFFICIENT_STORAGE = 507;

interface Facts {
  name?: string;
  code?: string | number;
  /** Set by the mail library: the system's own code. */
  originalCode?: string;
  /** Set by SQLite. */
  errcode?: number;
  /** Set by `S3Failure`. */
  status?: number;
  message?: string;
  cause?: unknown;
  errors?: unknown[];
}

/** The error, and the errors that caused it. An attempt on several addresses has an error for each. */
function chainOf(error: unknown): Facts[] {
  const chain: Facts[] = [];
  for (let link = error as Facts | undefined; link instanceof Error && chain.length < 5; ) {
    chain.push(link as Facts);
    link = ((link as Facts).errors?.[0] ?? link.cause) as Facts | undefined;
  }
  return chain;
}

function knownReason({ name, code, originalCode, errcode, message = '' }: Facts): string | undefined {
  if (errcode !== undefined) return SQLITE[errcode & 0xff];
  const byCode = REASONS[originalCode ?? ''] ?? REASONS[code ?? ''];
  if (byCode !== undefined) return byCode;
  if (/^ERR_SSL_/.test(originalCode ?? String(code))) return REASONS.EPROTO;
  if (name === 'TimeoutError') return NO_ANSWER;
  return MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
}

const NO_ANSWER = 'it does not answer in time';
const CLOSED = 'it closed the connection';
const UNTRUSTED = 'this machine does not trust its certificate';
const NOT_PERMITTED = 'permission denied';
const REFUSED_PASSWORD = 'it refused the user name or the password';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no program is listening there',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host cannot be looked up now',
  EDNS: 'the host cannot be looked up now',
  ETIMEDOUT: NO_ANSWER,
  UND_ERR_CONNECT_TIMEOUT: NO_ANSWER,
  EHOSTUNREACH: 'this machine cannot reach it',
  ENETUNREACH: 'this machine cannot reach it',
  EADDRINUSE: 'another program is already listening on this port',
  EADDRNOTAVAIL: 'this machine does not have this address',
  // Files.
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EEXIST: 'it exists already',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk has no more room for this user',
  ENOTDIR: 'a part of the path is a file',
  EROFS: 'the disk is read-only',
  // Certificates and encryption.
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  EPROTO: 'it does not speak TLS on this port',
  ETLS: 'it offers no encryption',
  // Mail servers.
  ECONNECTION: CLOSED,
  EAUTH: REFUSED_PASSWORD,
  EPROTOCOL: 'it does not answer like a mail server, or refuses this machine',
  EENVELOPE: 'it refused the sender or the recipient',
  EMESSAGE: 'it refused the mail',
  // PostgreSQL.
  '28P01': REFUSED_PASSWORD,
  28000: 'it does not accept this user from this machine',
  '3D000': 'there is no such database',
  42501: 'the user lacks a right on the database',
  53100: 'the disk is full',
  53300: 'it has too many open connections',
  57014: NO_ANSWER,
  '57P01': 'it is stopping',
  '57P03': 'it is starting or stopping',
};

// The low byte of SQLite's result codes.
const SQLITE: Readonly<Record<number, string>> = {
  5: 'another program is using it',
  6: 'another program is using it',
  8: 'it is read-only',
  10: 'the disk reports an error',
  11: 'it is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened',
  26: 'it is not a database',
};

// Errors without a code.
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^bad port$/, 'browsers and programs refuse to use this port'],
  [/\b(?:WRONGPASS|NOAUTH)\b|invalid (?:username-)?password/, REFUSED_PASSWORD],
  [/\bLOADING\b/, 'it is starting or stopping'],
  [/time(?:d )?out/i, NO_ANSWER],
  [/does not support SSL/, 'it offers no encryption'],
  [/Connection (?:terminated|is closed)|isn't writeable/, CLOSED],
];

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
