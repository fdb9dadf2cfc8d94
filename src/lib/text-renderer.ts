// Renders Markdown in a thread of its own, one text at a time. A text that takes too long, or too much memory,
// is given up with its thread, so no text can block the process. Callers take turns, and those whose texts took long
// come last, so that none can keep the others from the thread, and neither can many together.

import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { SECOND } from './clock.ts';
import { spentTime } from './spent-time.ts';

export interface RenderedText {
  /** Safe HTML, with marks for `linkMentions`. */
  html: string;
  /** What stands behind each @, without repetitions. */
  mentions: readonly string[];
  /** The text at its beginning, as `openingOf` extracts it. */
  opening: string;
}

/**
 * `too_complex`: the text takes too long, or its HTML would be out of proportion. `busy`: texts of this caller are
 * waiting already, and too many of them or of all callers.
 */
export type RenderingProblem = 'too_complex' | 'busy';

export interface TextRenderer {
  /** `caller` is the id of the person whose text it is, and undefined for texts of the server. */
  render(markdown: string, caller?: number): Promise<RenderedText | { problem: RenderingProblem }>;
  /** Waits for the texts that were passed before, and ends the thread. */
  close(): Promise<void>;
}

// Ordinary long posts take a hundredth of this. It is CPU time, so that a busy machine refuses no text that an
// idle one accepts.
const DEADLINE = 2 * SECOND;
const MOST_TIMES_WAITED = 10;
const LEAST_PAUSE = 50;
// Texts that wait or are under way. One person saves a text while the editor saves another. A person's first text is
// never refused, whatever others wait for.
const MOST_WAITING = { ofAll: 50, ofServer: 20, ofPerson: 2 };
// Callers whose texts took about as long take turns. Ordinary texts take a few milliseconds.
const ABOUT_AS_LONG = 100;
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/** Prepare to render texts. The thread starts with the first text, and doesn't keep the process alive. */
export function openTextRenderer(deadline = DEADLINE): TextRenderer {
  let thread: Promise<Worker> | undefined;
  /** The texts of each caller, the next caller first. A text that is under way is still in the list. */
  const waiting = new Map<number | undefined, (() => Promise<void>)[]>();
  const spent = spentTime(ABOUT_AS_LONG);
  let count = 0;
  let isWorking = false;
  let work = Promise.resolve();

  async function renderNow(
    markdown: string,
    caller: number | undefined,
  ): Promise<RenderedText | { problem: RenderingProblem }> {
    thread ??= startThread(() => {
      thread = undefined;
    });
    let start: number | undefined;
    try {
      const worker = await thread;
      start = performance.now();
      worker.ref();
      const answer = await answerFrom(worker, markdown, deadline);
      worker.unref();
      return answer;
    } catch (error) {
      await end(thread);
      if (error instanceof GivenUp || isOutOfMemory(error)) return { problem: 'too_complex' };
      throw error;
    } finally {
      if (start !== undefined) spent.add(caller, performance.now() - start);
    }
  }

  async function renderWaiting(): Promise<void> {
    isWorking = true;
    for (let caller = nextCaller(); caller !== undefined; caller = nextCaller()) {
      const [id, texts] = caller;
      await texts[0]?.();
      texts.shift();
      count -= 1;
      // After the callers who have spent as much.
      waiting.delete(id);
      if (texts.length > 0) waiting.set(id, texts);
    }
    isWorking = false;
  }

  function nextCaller() {
    let next = waiting.entries().next().value;
    for (const caller of waiting)
      if (next && spent.stepsOf(caller[0]) < spent.stepsOf(next[0])) next = caller;
    return next;
  }

  return {
    async render(markdown, caller) {
      const texts = waiting.get(caller) ?? [];
      const most = caller === undefined ? MOST_WAITING.ofServer : MOST_WAITING.ofPerson;
      const isAnother = texts.length > 0 && count >= MOST_WAITING.ofAll;
      if (isAnother || texts.length >= most) return { problem: 'busy' };
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof renderNow>>>();
      texts.push(() => renderNow(markdown, caller).then(resolve, reject));
      count += 1;
      waiting.set(caller, texts);
      if (!isWorking) work = renderWaiting();
      return promise;
    },
    async close() {
      await work;
      await end(thread);
    },
  };
}

// Resolves when the thread has loaded the library, which does not count towards a text's time. The thread gets
// no settings, because they contain secrets.
async function startThread(onEnd: () => void): Promise<Worker> {
  const program = new URL('./text-renderer-thread.ts', import.meta.url);
  const worker = new Worker(program, { resourceLimits: MEMORY, env: {}, execArgv: [] });
  // An error also ends the thread. `answerFrom` listens for it while a text is rendered.
  worker.on('error', () => undefined).on('exit', onEnd);
  await once(worker, 'message');
  return worker;
}

async function end(thread: Promise<Worker> | undefined): Promise<void> {
  const worker = await thread?.catch(() => undefined);
  await worker?.terminate();
}

class GivenUp extends Error {}

async function answerFrom(
  worker: Worker,
  markdown: string,
  deadline: number,
): Promise<RenderedText | { problem: 'too_complex' }> {
  const before = await worker.cpuUsage();
  const { promise, resolve, reject } = Promise.withResolvers<RenderedText | { problem: 'too_complex' }>();
  const onExit = () => reject(new Error('The thread that renders texts has ended.'));
  worker.once('message', resolve).once('error', reject).once('exit', onExit);
  worker.postMessage(markdown);
  const giveUp = () => reject(new GivenUp());
  const last = setTimeout(giveUp, MOST_TIMES_WAITED * deadline);
  let next = setTimeout(check, deadline);
  let isOver = false;

  async function check(): Promise<void> {
    // A thread that has ended can't answer.
    const { user, system } = await worker.cpuUsage(before).catch(() => ({ user: 0, system: 0 }));
    const left = deadline - (user + system) / 1000;
    if (left <= 0) giveUp();
    else if (!isOver) next = setTimeout(check, Math.max(left, LEAST_PAUSE));
  }

  return promise.finally(() => {
    isOver = true;
    clearTimeout(last);
    clearTimeout(next);
    worker.off('message', resolve).off('error', reject).off('exit', onExit);
  });
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
