// Forms with a file: read whole, within a bound, since what is done with the file needs all of it.

import { readBytes, UnreadableForm } from '../request-form.ts';
import { outdatedForm, PostedForm } from './form-page.ts';
import { isFormToken, type PageContext } from './visitor.ts';

// For the other fields, and what stands between them.
const ROOM_FOR_FIELDS = 64 * 1024;

export interface Upload {
  form: PostedForm;
  /** Empty if none was chosen. */
  file: Uint8Array;
}

/**
 * Reads a form with a file in one field that a page of ours gave to this very browser, as `readPostedForm` does.
 * 'too_large' if the file has more bytes than that; 'busy', and nothing is read, while others send theirs.
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
  if (underWay >= MOST_AT_ONCE) return 'busy';
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

// Each is held in memory, twice while it is taken apart.
const MOST_AT_ONCE = 4;
let underWay = 0;

async function partsOf(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { 'Content-Type': type },
    }).formData();
  } catch {
    throw new UnreadableForm(400, 'The form can not be taken apart.');
  }
}
