// The fuzzer itself: it finds what it should, says how to see it again, and makes it short.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chanceFrom } from '../../demo/random.ts';
import { decodeInput, encodeInput, fuzz } from './fuzzing.ts';
import { assertHarmless } from './html-rules.ts';
import { MalformedAnswer, readAnswers } from './http/answers.ts';
import { streamAt } from './http/streams.ts';
import { minimised } from './minimising.ts';
import { inputAt } from './mutation.ts';
import { PAIRS_OF_SIGNS, runsAt } from './runs.ts';
import { FAULTY } from './targets/faulty.ts';
import { TARGETS } from './targets.ts';

const [markdown] = TARGETS;
assert.ok(markdown !== undefined);

test('The same seed and number give the same input, and others give others.', () => {
  const inputs = Array.from({ length: 500 }, (_, index) => inputAt(markdown, 1, index));

  assert.equal(inputAt(markdown, 1, 77), inputs[77]);
  assert.ok(new Set(inputs).size > 400);
  assert.notEqual(inputAt(markdown, 2, 77), inputs[77]);
  assert.deepEqual(streamAt(1, 5), streamAt(1, 5));
});

test('Of all signs of which there are runs, each is beside each other one.', () => {
  const inputs = Array.from({ length: PAIRS_OF_SIGNS }, (_, number) =>
    runsAt({ ...markdown, seeds: ['-'], pairs: [] }, number, 20, chanceFrom(number)),
  );

  assert.equal(PAIRS_OF_SIGNS, 256);
  assert.equal(new Set(inputs.map((input) => input.replaceAll(/^-|-$/g, ''))).size, 256);
  assert.ok(inputs.some((input) => input.includes(`a${'\u3000'.repeat(10)}${'\n'.repeat(10)}b`)));
});

describe('A parser that', () => {
  for (const [name, kind] of [
    ['faulty-throwing', 'broken'],
    ['faulty-rejecting', 'broken'],
    ['faulty-quadratic', 'slow'],
    ['faulty-pattern', 'endless'],
    ['faulty-allocating', 'too_much_memory'],
    ['faulty-keeping', 'too_much_memory'],
    ['faulty-endless', 'endless'],
  ] as const) {
    test(`is ${name} is found`, async () => {
      const targets = FAULTY.filter((target) => target.name === name);

      const [finding] = await fuzz({
        seed: 1,
        inputs: 3000,
        targets,
        mostSeconds: kind === 'slow' ? 30 : 5,
        minimisingSeconds: kind === 'broken' ? 20 : 0,
      });

      assert.equal(finding?.problem.kind, kind);
      assert.equal(finding?.target, name);
      if (kind === 'broken')
        assert.equal(Buffer.from(finding?.input ?? '', 'base64').toString('utf16le'), '<!');
    });
  }
});

test('An input is made as short as its problem allows.', async () => {
  const input = `${'a'.repeat(3000)}<x>${'b'.repeat(500)}!${'c'.repeat(700)}`;

  assert.equal(await minimised(input, async (text) => /<x>.*!/.test(text), 20), '<x>!');
});

test('An input survives base64, half characters included.', () => {
  for (const target of TARGETS) {
    const input = target.isBytes ? 'a\xFF\0' : 'a\uD800中\0';
    assert.equal(decodeInput(target, encodeInput(target, input)), input);
  }
});

describe('HTML is not harmless with', () => {
  for (const html of [
    '<script>x</script>',
    '<p onclick="x">y</p>',
    '<a rel="nofollow ugc noopener" href="javascript:x">y</a>',
    '<a href="https://a.example">without rel</a>',
    '<img src="x">',
    '<svg></svg>',
    '<p style="x">y</p>',
    '<iframe></iframe>',
  ]) {
    test(html, () => assert.throws(() => assertHarmless(html), assert.AssertionError));
  }

  test('nothing of these', () => {
    assertHarmless(
      '<p>a <a href="/x" rel="nofollow ugc noopener" title="t">b</a></p><ol start="3"><li>c</li></ol>',
    );
  });
});

describe('Answers are malformed with', () => {
  for (const [what, bytes] of [
    ['bytes after the body', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc'],
    ['a header over two lines', 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['no length', 'HTTP/1.1 200 OK\r\n\r\nabc'],
    ['another version', 'HTTP/2 200\r\nContent-Length: 0\r\n\r\n'],
  ] as const) {
    test(what, () => assert.throws(() => readAnswers(bytes, false), MalformedAnswer));
  }

  test('nothing of these', () => {
    const two = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 304 Not Modified\r\nETag: "b"\r\n\r\n';
    assert.deepEqual(
      readAnswers(two, false).map(({ status, body }) => [status, body]),
      [
        [200, 'a'],
        [304, ''],
      ],
    );
  });
});
