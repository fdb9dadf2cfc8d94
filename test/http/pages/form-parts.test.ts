// Forms with a file: the fields, and the file as a part of the form's own bytes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { partsOf } from '../../../src/http/pages/form-parts.ts';
import { UnreadableForm } from '../../../src/http/request-form.ts';

const part = (headers: string, content: string) =>
  `--b-b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;
const field = part('name="body"', 'A text\r\nof two lines');
const file = part('name="picture"; filename="a.png"\r\nContent-Type: image/png', 'PNG \r\n\x00\xFF');
const END = '--b-b--\r\n';

const isRefusal = (status: number) => (error: unknown) =>
  error instanceof UnreadableForm && error.status === status;

async function read(form: string) {
  const bytes = Buffer.from(form, 'latin1');
  const parts = await partsOf(bytes, 'b-b', 'picture');
  const fields = Object.fromEntries(parts.fields);
  return { bytes, fields, file: Buffer.from(parts.file).toString('latin1'), view: parts.file };
}

describe('A form with a file', () => {
  for (const [where, form] of [
    ['last', field + file + END],
    ['first', file + field + END],
    ['alone', file + END],
  ] as const) {
    test(`has its fields, and the file as it was sent, if the file is ${where}`, async () => {
      const parts = await read(form);

      assert.equal(parts.file, 'PNG \r\n\x00\xFF');
      assert.deepEqual(parts.fields, where === 'alone' ? {} : { body: 'A text\r\nof two lines' });
    });
  }

  test('is not copied for it', async () => {
    const { bytes, view } = await read(field + file + END);

    assert.equal(view.buffer, bytes.buffer);
  });

  test('has an empty file if none was chosen, or only in other fields', async () => {
    const none = part('name="picture"; filename=""\r\nContent-Type: application/octet-stream', '');
    const other =
      part('name="other"; filename="picture"', 'x') + part('name="third"; filename=";name=picture"', 'x');

    for (const form of [none, other, part('name="picture"', 'hills.jpg')]) {
      assert.equal((await read(form + END)).file, '');
    }
  });

  test('has the first of several files', async () => {
    assert.equal(
      (await read(file + part('name="picture"; filename="b"', 'second') + END)).file,
      'PNG \r\n\x00\xFF',
    );
  });

  for (const [what, form] of [
    ['it has no end', field + file],
    ['its file has no end', field + file.slice(0, -2)],
    ['it has no boundary', 'PNG'],
    ['a part has no end of its headers', `--b-b\r\nContent-Disposition: form-data; name="a"${END}`],
    ['it has too many parts', field.repeat(21) + END],
  ] as const) {
    test(`is refused if ${what}`, async () => {
      await assert.rejects(read(form), isRefusal(400));
    });
  }

  test('is refused before it is parsed if its fields are longer than any post', async () => {
    const longest = part('name="body"', 'x'.repeat(600 * 1024));

    assert.equal((await read(longest + file + END)).file, 'PNG \r\n\x00\xFF');
    await assert.rejects(read(longest + field + longest + END), isRefusal(413));
  });
});
