// Forms with a file. The whole file is read into memory, within a bound.

import type { HttpBindings } from '@hono/node-server';
import { SECOND } from '../../lib/clock.ts';
import { networkAround } from '../../lib/network.ts';
import { readBytes, UnreadableForm } from '../request-form.ts';
import { untilAnswered } from '../until-answered.ts';
import { outdatedForm, PostedForm } from './form-page.ts';
import { boundaryOf, type FormParts, partsOf } from './form-parts.ts';
import { isFormToken, type PageContext } from './visitor.ts';

// For the other fields and the separators.
const ROOM_FOR_FIELDS = 64 * 1024;
// Enough for 5 MB at 2 Mbit/s. Shorter than the server's own timeout, which answers without a page.
const MOST_TIME = 25 * SECOND;

export interface Upload {
  form: PostedForm;
  /** Empty if the visitor chose no file. */
  file: Uint8Array;
  /** Aborted when the connection is closed. */
  signal: AbortSignal;
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
  untilAnswered(outgoing, () => inProgress.delete(from));
  try {
    const bytes = await inTime(readBytes(c, mostBytes + ROOM_FOR_FIELDS, false));
    return bytes === undefined
      ? 'too_slow'
      : await uploadIn(c, await partsOf(bytes, boundary, field), mostBytes);
  } catch (error) {
    if (error instanceof UnreadableForm && error.status === 413) return 'too_large';
    throw error;
  }
}

// Each file is in memory.
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
  { fields, file }: FormParts,
  mostBytes: number,
): Promise<Upload | Response | 'too_large'> {
  await c.get('visitor').lookAgain?.();
  const form = new PostedForm(fields);
  if (!isFormToken(c, fields.get('form_token') ?? undefined)) return outdatedForm(c, { form });
  return file.byteLength > mostBytes ? 'too_large' : { form, file, signal: c.req.raw.signal };
}
