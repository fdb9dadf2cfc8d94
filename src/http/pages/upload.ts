// Forms with a file. The whole file is read into memory, within a bound.

import type { HttpBindings } from '@hono/node-server';
import { SECOND } from '../../lib/clock.ts';
import { networkAround } from '../../lib/network.ts';
import { readBytes, UnreadableForm } from '../request-form.ts';
import { outdatedForm, PostedForm } from './form-page.ts';
import { isFormToken, type PageContext } from './visitor.ts';

// For the other fields and the separators.
const ROOM_FOR_FIELDS = 64 * 1024;
// Enough for 5 MB at 2 Mbit/s. Shorter than the server's own timeout, which answers without a page.
const MOST_TIME = 25 * SECOND;
// A form has two parts, each with about 150 bytes of headers. The parser takes a third of a second for 5 MB of either.
const MOST_PARTS = 20;
const MOST_HEADER_BYTES = 1000;
// Browsers and libraries use no other characters in the boundary.
const MULTIPART = /^multipart\/form-data\s*;\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*$/i;

export interface Upload {
  form: PostedForm;
  /** Empty if the visitor chose no file. */
  file: Uint8Array;
}

/** Why an upload is not read, or not to its end. `second` is for another upload of the same member. */
export type UploadProblem = 'too_large' | 'too_slow' | 'second' | 'busy';

/**
 * Read a form with a file in one field, as `readPostedForm` reads one without. An upload counts until it is
 * answered: each member can have one, and each address a few, so slow ones don't keep others out.
 */
export async function readUpload(
  c: PageContext,
  field: string,
  mostBytes: number,
  from: { userId: number; address: string },
): Promise<Upload | Response | UploadProblem> {
  const boundary = boundaryOf(c);
  const site = c.req.header('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site') return outdatedForm(c);
  const problem = problemWithAnotherUpload(from);
  if (problem !== undefined) return problem;
  inProgress.add(from);
  const { outgoing } = c.env as HttpBindings;
  outgoing.once('close', () => inProgress.delete(from));
  try {
    const bytes = await inTime(readBytes(c, mostBytes + ROOM_FOR_FIELDS, false));
    return bytes === undefined
      ? 'too_slow'
      : await uploadIn(c, await partsOf(bytes, boundary), field, mostBytes);
  } catch (error) {
    if (error instanceof UnreadableForm && error.status === 413) return 'too_large';
    throw error;
  }
}

/** Read what separates the parts of a form. Throws `UnreadableForm` for another type. */
export function boundaryOf(c: PageContext): string {
  const [, boundary] = MULTIPART.exec(c.req.header('content-type') ?? '') ?? [];
  if (boundary === undefined) throw new UnreadableForm(415, 'The body must be multipart/form-data.');
  return boundary;
}

// Each file is in memory, and twice while its parts are separated.
const MOST_AT_ONCE = 12;
const MOST_FROM_ADDRESS = 4;
const MOST_FROM_NETWORK = 6;
const inProgress = new Set<{ userId: number; address: string }>();

function problemWithAnotherUpload({ userId, address }: { userId: number; address: string }) {
  const others = [...inProgress];
  if (others.some((other) => other.userId === userId)) return 'second';
  const network = networkAround(address);
  const isBusy =
    others.length >= MOST_AT_ONCE ||
    others.filter((other) => other.address === address).length >= MOST_FROM_ADDRESS ||
    (network !== undefined &&
      others.filter((other) => networkAround(other.address) === network).length >= MOST_FROM_NETWORK);
  return isBusy ? 'busy' : undefined;
}

async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MOST_TIME);
  });
  return Promise.race([work, end]).finally(() => clearTimeout(timer));
}

async function uploadIn(
  c: PageContext,
  data: FormData,
  field: string,
  mostBytes: number,
): Promise<Upload | Response | 'too_large'> {
  await c.get('visitor').lookAgain?.();
  const fields = new URLSearchParams();
  for (const [name, value] of data) if (typeof value === 'string') fields.append(name, value);
  const form = new PostedForm(fields);
  if (!isFormToken(c, fields.get('form_token') ?? undefined)) return outdatedForm(c, { form });
  const file = data.get(field);
  const isFile = file !== null && typeof file !== 'string';
  if (isFile && file.size > mostBytes) return 'too_large';
  return { form, file: isFile ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array() };
}

/** Separate the parts of a form. Throws `UnreadableForm` for a malformed one. */
export async function partsOf(bytes: Uint8Array, boundary: string): Promise<FormData> {
  const malformed = new UnreadableForm(400, 'The form is malformed.');
  if (!isSmallToParse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), boundary))
    throw malformed;
  try {
    // The type is written anew, so that the parser separates the parts at the boundary that was counted.
    const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` };
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers }).formData();
  } catch {
    throw malformed;
  }
}

function isSmallToParse(bytes: Buffer, boundary: string): boolean {
  const delimiter = `--${boundary}`;
  let parts = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, at)) {
    at += delimiter.length;
    parts += 1;
    const headers = bytes.subarray(at, at + MOST_HEADER_BYTES);
    // The last delimiter has no part behind it.
    const isLast = headers.subarray(0, 2).equals(LAST);
    if (parts > MOST_PARTS || (!isLast && !headers.includes('\r\n\r\n'))) return false;
  }
  return true;
}

const LAST = Buffer.from('--');
