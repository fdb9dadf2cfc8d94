// The parts of a form with a file (RFC 7578). The runtime's parser reads the fields. It would copy a file three times,
// so files are cut out before.

import { UnreadableForm } from '../request-form.ts';
import type { PageContext } from './visitor.ts';

// A form has few parts, each with about 150 bytes of headers. The parser takes a third of a second for 5 MB of either.
const MOST_PARTS = 20;
const MOST_HEADER_BYTES = 1000;
/** The longest post, with the other fields and the separators. The parser takes a tenth of a second for 10 MB. */
export const MOST_FIELD_BYTES = 640 * 1024;
// Browsers and libraries use no other characters in the boundary.
const MULTIPART = /^multipart\/form-data\s*;\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*$/i;
const FILE = /^content-disposition:[^\r\n]*;\s*filename\*?=/im;
const END_OF_HEADERS = '\r\n\r\n';
const LAST = Buffer.from('--');

export interface FormParts {
  fields: URLSearchParams;
  /** A view of the form's own bytes. Empty if the visitor chose no file. */
  file: Uint8Array;
}

/** Read what separates the parts of a form. Throws `UnreadableForm` for another type. */
export function boundaryOf(c: PageContext): string {
  const [, boundary] = MULTIPART.exec(c.req.header('content-type') ?? '') ?? [];
  if (boundary === undefined) throw new UnreadableForm(415, 'The body must be multipart/form-data.');
  return boundary;
}

/**
 * Separate the fields of a form, and the file in the field `field`. Throws `UnreadableForm` if the form is malformed,
 * or if all but files is longer than `MOST_FIELD_BYTES`.
 */
export async function partsOf(bytes: Uint8Array, boundary: string, field: string): Promise<FormParts> {
  const malformed = new UnreadableForm(400, 'The form is malformed.');
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { others, file } = withoutFiles(form, boundary, field);
  if (others.byteLength > MOST_FIELD_BYTES) {
    throw new UnreadableForm(413, 'The fields of the form are too long.');
  }
  if (!isSmallToParse(others, boundary)) throw malformed;
  try {
    // The type is written anew, so that the parser separates the parts at the boundary that was counted.
    const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` };
    const fields = new URLSearchParams();
    for (const [name, value] of await new Response(others, { headers }).formData()) {
      if (typeof value === 'string') fields.append(name, value);
    }
    return { fields, file };
  } catch {
    throw malformed;
  }
}

function withoutFiles(
  form: Buffer,
  boundary: string,
  field: string,
): { others: Buffer<ArrayBuffer>; file: Uint8Array } {
  const others: Buffer[] = [];
  let file: Uint8Array | undefined;
  let start = 0;
  for (let parts = 0; parts < MOST_PARTS; parts += 1) {
    const end = form.indexOf(`\r\n--${boundary}`, start);
    if (end === -1) break;
    const next = end + '\r\n'.length;
    const headers = headersOf(form.subarray(start, end));
    if (headers === undefined || !FILE.test(headers)) others.push(form.subarray(start, next));
    else if (new RegExp(`;\\s*name="${field}"`, 'i').test(headers)) {
      file ??= form.subarray(start + headers.length + END_OF_HEADERS.length, end);
    }
    start = next;
  }
  return { others: Buffer.concat([...others, form.subarray(start)]), file: file ?? new Uint8Array() };
}

/** The headers of a part, with the boundary before them. Undefined if they have no end. */
function headersOf(part: Buffer): string | undefined {
  const end = part.subarray(0, MOST_HEADER_BYTES).indexOf(END_OF_HEADERS);
  return end === -1 ? undefined : part.toString('latin1', 0, end);
}

function isSmallToParse(form: Buffer, boundary: string): boolean {
  const delimiter = `--${boundary}`;
  let parts = 0;
  for (let at = form.indexOf(delimiter); at !== -1; at = form.indexOf(delimiter, at)) {
    at += delimiter.length;
    parts += 1;
    const headers = form.subarray(at, at + MOST_HEADER_BYTES);
    // The last delimiter has no part behind it.
    const isLast = headers.subarray(0, 2).equals(LAST);
    if (parts > MOST_PARTS || (!isLast && !headers.includes(END_OF_HEADERS))) return false;
  }
  return true;
}
