// Forms with a long text and a file. Whatever is wrong with the file, the text comes back: the fields are before the
// file, so a file that can't be taken is read past.

import type { HttpBindings } from '@hono/node-server';
import { SECOND } from '../../lib/clock.ts';
import { wholeNetworkOf } from '../../lib/network.ts';
import { hasSmallChunks } from '../../lib/small-chunks.ts';
import { afterBody } from '../fair-turns.ts';
import { checkFields, UnreadableForm } from '../request-form.ts';
import { untilAnswered } from '../until-answered.ts';
import { outdatedForm, PostedForm } from './form-page.ts';
import { boundaryOf, type FormParts, MOST_FIELD_BYTES, partsOf } from './form-parts.ts';
import type { UploadProblem } from './upload.ts';
import { isFormToken, type PageContext } from './visitor.ts';

const MB = 1024 * 1024;
// A file that is too large is read past up to this size, and then the connection is cut.
const MOST_READ_PAST = 64 * MB;
// Enough for 6 MB at 2 Mbit/s. Shorter than the server's own timeout, which answers without a page.
const MOST_TIME = 25 * SECOND;
// From this length on, a body gets room for all that it declares, instead of more and more copies.
const ENOUGH_TO_TRUST = 256 * 1024;
// Uploads count until they are answered. Slow ones hold few bytes, so it takes many of them to keep others out.
const MOST_HELD = 48 * MB;
const MOST_AT_ONCE = 64;
// Of those whose file is taken, and of the others.
const MOST_FROM_ADDRESS = 4;
// Of those whose file is not taken. Further ones get an answer without their text.
const MOST_READ_FOR_FIELDS = 24;

/** A form with a text, and its file or why there is none. */
export interface TextUpload {
  form: PostedForm;
  /** Empty if the visitor chose no file. */
  file: Uint8Array | UploadProblem;
  /** Aborted when the connection is closed. */
  signal: AbortSignal;
}

interface Upload {
  /** Undefined for a visitor who is not signed in (any more). */
  userId: number | undefined;
  address: string;
  /** What has arrived and is kept. */
  bytes: number;
  /** Whether only its fields are kept. */
  isReadPast: boolean;
}

const inProgress = new Set<Upload>();

/** Read a form from one of our pages with a file in the field `field`, the last one. */
export async function readTextUpload(
  c: PageContext,
  field: string,
  mostBytes: number,
  sender: { userId: number | undefined; address: string },
): Promise<TextUpload | Response> {
  // One person can have a whole /48 network.
  const from = { ...sender, address: wholeNetworkOf(sender.address) };
  const boundary = boundaryOf(c);
  const problem = problemWithOthers(from);
  const isReadPast = problem !== undefined || from.userId === undefined;
  const keepsNothing = isReadPast && hasNoPlaceForFields(from.address);
  const upload: Upload = { ...from, bytes: 0, isReadPast };
  // One of which nothing is kept takes no place.
  if (!keepsNothing) inProgress.add(upload);
  const { outgoing } = c.env as HttpBindings;
  untilAnswered(outgoing, () => inProgress.delete(upload));
  const most = keepsNothing ? 0 : MOST_FIELD_BYTES + (isReadPast ? 0 : mostBytes);
  const body = await bodyOf(c, upload, most);
  if (keepsNothing) {
    throw new UnreadableForm(503, 'The server is receiving too many pictures. Try again soon.');
  }
  const fields = body.problem === undefined && !isReadPast ? body.bytes : beforeFile(body.bytes, boundary);
  const parts = await partsOf(fields, boundary, field);
  return uploadIn(c, parts, mostBytes, problem ?? body.problem);
}

async function uploadIn(
  c: PageContext,
  { fields, file }: FormParts,
  mostBytes: number,
  problem: UploadProblem | undefined,
): Promise<TextUpload | Response> {
  await c.get('visitor').lookAgain?.();
  checkFields(fields);
  const site = c.req.header('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site') return outdatedForm(c);
  const form = new PostedForm(fields);
  if (!isFormToken(c, fields.get('form_token') ?? undefined)) return outdatedForm(c, { form });
  const { signal } = c.req.raw;
  return { form, file: problem ?? (file.byteLength > mostBytes ? 'too_large' : file), signal };
}

function problemWithOthers({ userId, address }: Pick<Upload, 'userId' | 'address'>) {
  const others = [...inProgress].filter((other) => !other.isReadPast);
  if (others.some((other) => userId !== undefined && other.userId === userId)) return 'second';
  const isBusy =
    others.length >= MOST_AT_ONCE ||
    heldBytes() >= MOST_HELD ||
    others.filter((other) => other.address === address).length >= MOST_FROM_ADDRESS;
  return isBusy ? 'busy' : undefined;
}

function hasNoPlaceForFields(address: string): boolean {
  const others = [...inProgress].filter((other) => other.isReadPast);
  const near = others.filter((other) => other.address === address);
  return others.length >= MOST_READ_FOR_FIELDS || near.length >= MOST_FROM_ADDRESS;
}

function heldBytes(): number {
  return [...inProgress].reduce((sum, { bytes }) => sum + bytes, 0);
}

// With a problem, only the beginning of the body is kept. The rest is read past, so that the sender gets the answer.
function bodyOf(
  c: PageContext,
  upload: Upload,
  mostBytes: number,
): Promise<{ bytes: Buffer; problem?: UploadProblem }> {
  const { incoming, outgoing } = c.env as HttpBindings;
  const declared = Number(c.req.header('content-length') ?? Number.NaN);
  let most = mostBytes;
  let bytes: Buffer = Buffer.alloc(0);
  let [length, kept, chunks] = [0, 0, 0];
  let problem: UploadProblem | undefined;
  // A request without a body has ended already, and emits no events.
  if (incoming.readableEnded) return Promise.resolve({ bytes });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      giveUpFile('too_slow');
      const body = { bytes, problem: 'too_slow' } as const;
      afterBody(outgoing, () => resolve(body));
      most = 0;
      bytes = Buffer.alloc(0);
      kept = 0;
    }, MOST_TIME);
    const stop = () => {
      clearTimeout(timer);
      incoming.removeAllListeners('data').pause();
      outgoing.shouldKeepAlive = false;
    };
    const refuse = (error: UnreadableForm) => {
      stop();
      reject(error);
    };
    const giveUpFile = (reason: UploadProblem) => {
      problem = reason;
      most = Math.min(most, MOST_FIELD_BYTES);
      kept = Math.min(kept, most);
      // A copy, so that the rest is freed.
      bytes = Buffer.from(bytes.subarray(0, kept));
      upload.bytes = kept;
      upload.isReadPast = true;
    };
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.byteLength;
      chunks += 1;
      if (hasSmallChunks(chunks, length)) {
        return refuse(new UnreadableForm(400, 'The chunks of the body are too small.'));
      }
      if (length > MOST_READ_PAST) return refuse(new UnreadableForm(413, 'The file is too large.'));
      if (!upload.isReadPast && length > most) giveUpFile('too_large');
      const size = Math.min(length, most);
      upload.bytes = size;
      if (!upload.isReadPast && heldBytes() > MOST_HELD) giveUpFile('busy');
      const end = Math.min(size, most);
      if (end > bytes.byteLength) {
        const wanted = size > ENOUGH_TO_TRUST && declared > size ? declared : bytes.byteLength * 2;
        bytes = grown(bytes, Math.max(end, Math.min(wanted, most)));
      }
      kept += chunk.copy(bytes, kept, 0, Math.max(0, end - kept));
    });
    incoming.once('end', () => {
      clearTimeout(timer);
      const body = { bytes: bytes.subarray(0, kept), ...(problem !== undefined && { problem }) };
      afterBody(outgoing, () => resolve(body));
    });
    const refuseBroken = () => {
      if (!incoming.readableEnded) refuse(new UnreadableForm(400, 'The body is incomplete.'));
    };
    incoming.once('error', refuseBroken).once('close', refuseBroken);
    if (incoming.destroyed) refuseBroken();
  });
}

function grown(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  bytes.copy(larger);
  return larger;
}

// The last part is the file, or is not complete.
function beforeFile(bytes: Buffer, boundary: string): Buffer {
  const delimiter = `\r\n--${boundary}`;
  const end = Math.max(0, bytes.lastIndexOf(delimiter, bytes.lastIndexOf('filename=') - 1));
  const last = bytes.includes('filename=') ? end : Math.max(0, bytes.lastIndexOf(delimiter));
  return Buffer.concat([bytes.subarray(0, last), Buffer.from(`${delimiter}--\r\n`)]);
}
