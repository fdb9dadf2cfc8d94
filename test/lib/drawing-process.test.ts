// The process that redraws a picture: its memory and time limits, what it can see, and when it ends.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { drawInProcess } from '../../src/lib/drawing-process.ts';
import { childrenOf, untilTrue } from '../support/program.ts';

const WITHOUT_PROC = process.platform !== 'linux' && 'needs /proc';
const SQUARE = { width: 256, height: 256, fit: 'cover' } as const;
const LIMITS = { memoryKiB: 185_000, time: 60_000, processorSeconds: 60 };
// At the bound: 4 MP of 10 bits with alpha.
const LARGE_PATH = join(import.meta.dirname, '../samples/pictures/2007x2007-alpha-10-bit.avif');
const LARGE = readFileSync(LARGE_PATH);
const TESTED = join(import.meta.dirname, '../../src/lib/drawing-process.ts');
const SMALL = await sharp({ create: { width: 30, height: 30, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

describe('The process that redraws a picture', () => {
  test('has a limit of memory that it cannot pass, and the next picture is drawn', async (t) => {
    if (WITHOUT_PROC) return t.skip(WITHOUT_PROC);

    const refused = await drawInProcess(LARGE, SQUARE, { ...LIMITS, memoryKiB: 110_000 });

    assert.deepEqual(refused, { problem: 'too_costly' });
    assert.ok('image' in (await drawInProcess(LARGE, SQUARE, LIMITS)));
  });

  test('has a limit of time', async () => {
    assert.deepEqual(await drawInProcess(SMALL, SQUARE, { ...LIMITS, time: 1 }), { problem: 'too_costly' });
    await untilTrue(() => childrenOf(process.pid).filter(isAlive).length === 0);
  });

  test('has a limit of processor time', async (t) => {
    if (WITHOUT_PROC) return t.skip(WITHOUT_PROC);
    const large = await sharp(SMALL).resize(2000, 2000).png().toBuffer();
    const smaller = Array.from({ length: 60 }, (_, index) => 1990 - index);
    const shape = { width: 2000, height: 2000, fit: 'inside', smaller } as const;

    assert.deepEqual(await drawInProcess(large, shape, { ...LIMITS, processorSeconds: 1 }), {
      problem: 'too_costly',
    });
    assert.ok('image' in (await drawInProcess(large, { ...shape, smaller: [] }, LIMITS)));
  });

  test('may be killed: the picture is refused, and the next one is drawn', async () => {
    const drawing = drawInProcess(LARGE, SQUARE, LIMITS);
    await untilTrue(() => childrenOf(process.pid).length > 0);
    for (const pid of childrenOf(process.pid)) killIfAlive(pid);

    assert.deepEqual(await drawing, { problem: 'too_costly' });
    assert.ok('image' in (await drawInProcess(SMALL, SQUARE, LIMITS)));
  });

  test('does not see the settings of the server', async (t) => {
    if (WITHOUT_PROC) return t.skip(WITHOUT_PROC);
    process.env.SMTP_URL = 'smtps://a-secret-of-the-tests@mail.example';
    const drawing = drawInProcess(LARGE, SQUARE, LIMITS);
    const environments: string[] = [];

    await untilTrue(() => {
      for (const pid of childrenOf(process.pid)) environments.push(readOrNothing(`/proc/${pid}/environ`));
      return environments.some((text) => text.includes('UV_THREADPOOL_SIZE'));
    });

    await drawing;
    delete process.env.SMTP_URL;
    // Between the fork and the start of the program the memory is still this process's own.
    const ofProgram = environments.filter((text) => text.includes('UV_THREADPOOL_SIZE'));
    assert.deepEqual(
      ofProgram.filter((text) => text.includes('a-secret-of-the-tests')),
      [],
    );
  });

  test('ends when its picture is drawn', async () => {
    await drawInProcess(SMALL, SQUARE, LIMITS);

    await untilTrue(() => childrenOf(process.pid).filter(isAlive).length === 0);
  });

  test('ends with the server, also when the server is killed', async () => {
    const program = `
      import { drawInProcess } from ${JSON.stringify(TESTED)};
      import { readFileSync } from 'node:fs';
      const file = readFileSync(${JSON.stringify(LARGE_PATH)});
      for (;;) await drawInProcess(file, ${JSON.stringify(SQUARE)});`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    let children: number[] = [];
    await untilTrue(() => {
      children = childrenOf(server.pid ?? 0).filter(isDrawing);
      return children.length > 0;
    });

    server.kill('SIGKILL');
    await once(server, 'exit');

    await untilTrue(() => !children.some(isAlive));
  });
});

function isDrawing(pid: number): boolean {
  return !existsSync('/proc') || readOrNothing(`/proc/${pid}/cmdline`).includes('picture-process');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie, a process that has ended but has not been waited for, still has a pid.
    return !/State:\s+Z/.test(readOrNothing(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
