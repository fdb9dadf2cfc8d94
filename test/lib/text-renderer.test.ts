// Rendering in a thread of its own: the deadline, the process that goes on meanwhile, and its end.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openTextRenderer } from '../../src/lib/text-renderer.ts';

const ROOT = join(import.meta.dirname, '../..');
const SLOW = `${'> '.repeat(90)}${'a\n'.repeat(500_000)}`;
const TOO_COMPLEX = { problem: 'too_complex' };

test('a text is rendered, with the words at its beginning', async (t) => {
  const renderer = openTextRenderer();
  t.after(renderer.close);

  const [first, second] = await Promise.all([renderer.render('# a\n*b*'), renderer.render('c')]);

  assert.deepEqual(first, { html: '<h2>a</h2>\n<p><em>b</em></p>\n', mentions: [], opening: 'b' });
  assert.deepEqual(second, { html: '<p>c</p>\n', mentions: [], opening: 'c' });
});

test('a text beyond the deadline is given up, blocks nothing meanwhile, and the next one is rendered', async (t) => {
  const renderer = openTextRenderer(300);
  t.after(renderer.close);
  await renderer.render('warm');
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 10);

  const [slow, next] = await Promise.all([renderer.render(SLOW), renderer.render('*next*')]);
  clearInterval(timer);

  assert.deepEqual(slow, TOO_COMPLEX);
  assert.deepEqual(next, { html: '<p><em>next</em></p>\n', mentions: [], opening: 'next' });
  assert.ok(turns >= 5, `${turns} turns of the event loop`);
});

test('a text whose HTML would be out of proportion is refused', async (t) => {
  const renderer = openTextRenderer();
  t.after(renderer.close);

  const answer = await renderer.render(`[a]: ${'x'.repeat(1_000)}\n${'[a]'.repeat(30_000)}`);

  assert.deepEqual(answer, TOO_COMPLEX);
});

test('a text that takes too much memory is refused, and the next one is rendered', async (t) => {
  const renderer = openTextRenderer(60_000);
  t.after(renderer.close);

  const answer = await renderer.render('*a* '.repeat(3_000_000));
  const next = await renderer.render('b');

  assert.deepEqual(answer, TOO_COMPLEX);
  assert.ok('html' in next);
});

test('of one caller two texts may wait, of the server twenty; beyond fifty of all only the first of a caller', async (t) => {
  const renderer = openTextRenderer();
  t.after(renderer.close);
  const accepted = async (callers: (number | undefined)[]) => {
    const answers = await Promise.all(callers.map((caller) => renderer.render('a', caller)));
    for (const answer of answers) assert.ok('html' in answer || answer.problem === 'busy');
    return answers.filter((answer) => 'html' in answer).length;
  };

  const counts = [
    await accepted([1, 1, 1, 2, 1, 2]),
    await accepted(Array.from({ length: 30 }, () => undefined)),
    await accepted(Array.from({ length: 60 }, (_, caller) => caller)),
    await accepted([...Array.from({ length: 60 }, (_, caller) => caller), 1, 2, 60]),
    await accepted([1, undefined]),
  ];

  assert.deepEqual(counts, [4, 20, 60, 61, 2]);
});

test('callers take turns, so a text waits for one text of each other caller', async (t) => {
  const renderer = openTextRenderer();
  t.after(renderer.close);
  const order: string[] = [];
  const render = async (name: string, caller?: number) => {
    await renderer.render(name, caller);
    order.push(name);
  };

  await Promise.all([
    render('a1', 1),
    render('a2', 1),
    ...['s1', 's2', 's3'].map((name) => render(name)),
    render('b1', 2),
    render('b2', 2),
  ]);

  assert.deepEqual(order, ['a1', 's1', 'b1', 'a2', 's2', 'b2', 's3']);
});

test('a caller whose texts took long comes after all others, also after those who came later', async (t) => {
  const renderer = openTextRenderer();
  t.after(renderer.close);
  const slow = `${'> '.repeat(39)}a\n${'b\n'.repeat(49_900)}`;
  const order: string[] = [];
  const render = async (name: string, caller: number, markdown = name) => {
    await renderer.render(markdown, caller);
    order.push(name);
  };
  await render('mallory 1', 1, slow);

  const first = [render('mallory 2', 1, slow), render('mallory 3', 1, slow)];
  await Promise.all([...first, render('alice 1', 2), render('alice 2', 2), render('bob', 3)]);

  assert.deepEqual(order, ['mallory 1', 'mallory 2', 'alice 1', 'bob', 'alice 2', 'mallory 3']);
});

test('closing waits for the texts of all callers', async () => {
  const renderer = openTextRenderer();
  const answers = Promise.all([renderer.render('a', 1), renderer.render('b', 1), renderer.render('c', 2)]);

  await renderer.close();

  assert.ok((await answers).every((answer) => 'html' in answer));
});

test('a process with a renderer ends by itself, after the last text', async () => {
  const program = `
    import { openTextRenderer } from ${JSON.stringify(join(ROOT, 'src/lib/text-renderer.ts'))};
    const answer = await openTextRenderer().render('*a*');
    process.stdout.write(answer.html);`;

  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    timeout: 60_000,
  });

  assert.equal(stdout, '<p><em>a</em></p>\n');
});
