// Forms with a file. The whole file is read into memory, within a bound.

import { readBytes, UnreadableForm } from '../request-form.ts';
import { outdatedForm, PostedForm } from './form-page.ts';
import { isFormToken, type PageContext } from './visitor.ts';

// For the other fields and the separators.
const ROOM_FOR_FIELDS = 64 * 1024;

export interface Upload {
  form: PostedForm;
  /** Empty if the visitor chose no file. */
  file: Uint8Array;
}

/**
 * Read a form with a file in one field, as `readPostedForm` reads one without. Returns 'too_large' for a file
 * of more than `mostBytes`, and 'busy', without reading anything, while other uploads are in progress.
 */
export async function readUpload(
  c: PageContext,
  field: string,
  mostBytes: number,
): Promise<Upload | Response | 'too_large' | 'busy'> {
  const type = c.req.header('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new UnreadableForm(415, 'The body must be multipart/form-data.');
  }
  const site = c.req.header('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site') return outdatedForm(c);
  if (underWay >= MOST_IN_PARALLEL) return 'busy';
  underWay += 1;
  try {
    const data = await partsOf(await readBytes(c, mostBytes + ROOM_FOR_FIELDS), type);
    await c.get('visitor').lookAgain?.();
    const fields = new URLSearchParams();
    for (const [name, value] of data) if (typeof value === 'string') fields.append(name, value);
    const form = new PostedForm(fields);
    if (!isFormToken(c, fields.get('form_token') ?? undefined)) return outdatedForm(c, { form });
    const file = data.get(field);
    const isFile = file !== null && typeof file !== 'string';
    if (isFile && file.size > mostBytes) return 'too_large';
    return { form, file: isFile ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array() };
  } catch (error) {
    if (error instanceof UnreadableForm && error.status === 413) return 'too_large';
    throw error;
  } finally {
    underWay -= 1;
  }
}

// Each upload is in memory, and twice while its parts are separated.
const MOST_IN_PARALLEL = 4;
let underWay = 0;

async function partsOf(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { 'Content-Type': type },
    }).formData();
  } catch {
    throw new UnreadableForm(400, 'The form is malformed.');
  }
}
