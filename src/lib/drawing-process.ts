// The process that redraws a picture, and the limits of its memory and time.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { SECOND } from './clock.ts';

export interface Picture {
  image: Uint8Array;
  width: number;
  height: number;
  /** Narrower ones, if the shape asks for them. */
  smaller: readonly SmallerPicture[];
}

/** The same picture, not as wide. */
export interface SmallerPicture {
  width: number;
  image: Uint8Array;
}

export interface Shape {
  /** In pixels. */
  width: number;
  height: number;
  /**
   * `cover`: cropped, as WebP. `contain`: with transparent margins, as PNG, which every program shows as an icon.
   * `inside`: at most this size, and never larger than the original, as WebP.
   */
  fit: 'cover' | 'contain' | 'inside';
  /** The widths of further, smaller pictures. Those that would be as wide as the picture itself are left out. */
  smaller?: readonly number[];
}

/** A redrawn picture, or why the file can't be redrawn. */
export type Drawing =
  | Picture
  /** The memory or the time was not enough, or the decoder crashed. */
  | { problem: 'not_a_picture' | 'too_costly' }
  /** `mostPixels` is the bound for a picture of this kind. */
  | { problem: 'too_many_pixels'; mostPixels: number };

export interface DrawingLimits {
  /** For all data of the process. It starts with 70 MB. */
  memoryKiB: number;
  /** For the whole life of the process, in milliseconds. */
  time: number;
  /** Of processor time, on Linux. */
  processorSeconds: number;
}

// A picture that stays large takes more memory to encode. The slowest ordinary picture takes 1.2 seconds.
const LIMITS: Record<Shape['fit'], DrawingLimits> = {
  cover: { memoryKiB: 185_000, time: 15 * SECOND, processorSeconds: 3 },
  contain: { memoryKiB: 185_000, time: 15 * SECOND, processorSeconds: 3 },
  inside: { memoryKiB: 305_000, time: 15 * SECOND, processorSeconds: 3 },
};

/**
 * Redraw a file in a new process, so no memory and no damage remains for the next member's picture. The
 * process can't outlive this one: it ends when the channel between them closes.
 */
export function drawInProcess(file: Uint8Array, shape: Shape, limits = LIMITS[shape.fit]): Promise<Drawing> {
  return answerOfProcess('picture-process.js', { file, shape }, limits);
}

/** Send a message to a new process of this program, and return its answer. */
export function answerOfProcess<A extends object>(
  program: string,
  message: object,
  limits: DrawingLimits,
): Promise<A | { problem: 'too_costly' }> {
  return new Promise((resolve) => {
    const child = spawnLimited(join(import.meta.dirname, program), limits);
    const finish = (answer: A | { problem: 'too_costly' }) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      resolve(answer);
    };
    const giveUp = () => finish({ problem: 'too_costly' });
    const timer = setTimeout(giveUp, limits.time);
    child.once('message', finish).once('exit', giveUp).on('error', giveUp);
    // Without a channel the process has ended or didn't start, and the event that says so follows.
    if (child.connected) child.send(message, () => {});
  });
}

const FONTS = join(import.meta.dirname, 'fonts/fonts.conf');

// Without its compiler Node reserves no memory for code, so the limit on data is close to what is in use.
// The process gets none of the server's settings, because some are secrets.
function spawnLimited(program: string, { memoryKiB, processorSeconds }: DrawingLimits): ChildProcess {
  const node = [process.execPath, '--jitless', '--v8-pool-size=0', program];
  const limited = [
    '/bin/sh',
    '-c',
    `ulimit -c 0; ulimit -s 2048; ulimit -d ${memoryKiB}; ulimit -t ${processorSeconds}; exec "$@"`,
    'sh',
    ...node,
  ];
  // Other systems limit data otherwise or not at all. There the bound on pixels is the only one.
  const [command = '', ...words] = process.platform === 'linux' ? limited : node;
  return spawn(command, words, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1', FONTCONFIG_FILE: FONTS },
  });
}
