// The log: each line is one event, whatever is written into it, with a time that needs no time zone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLog } from '../../src/lib/log.ts';

function linesOf(write: (log: ReturnType<typeof openLog>) => void): string[] {
  let text = '';
  write(openLog('trace', { write: (line) => (text += line) }));
  return text.split('\n').slice(0, -1);
}

test('What a caller sends cannot begin another line, whatever is in it', () => {
  const forged = 'x\r\n{"level":30,"msg":"signed in"}\u2028\u0000\u001b[2J';
  const lines = linesOf((log) => log.warn({ path: `/${forged}`, username: forged }, forged));

  assert.equal(lines.length, 1);
  const { level, path, username, msg } = JSON.parse(lines[0] ?? '');
  assert.deepEqual([level, path, username, msg], [40, `/${forged}`, forged, forged]);
  assert.doesNotMatch(lines[0] ?? '', /\p{Cc}/u);
});

test('The time is written in milliseconds since 1970, the same in every time zone', () => {
  const before = Date.now();
  const { time } = JSON.parse(linesOf((log) => log.info('event'))[0] ?? '');

  assert.ok(time >= before && time <= Date.now());
});

test('A secret under its usual name is not written, also one level down', () => {
  const [line = ''] = linesOf((log) => log.info({ password: 'hunter2', form: { code: 'hunter2' } }, 'event'));

  assert.doesNotMatch(line, /hunter2/);
  assert.equal(JSON.parse(line).form.code, '[redacted]');
});
