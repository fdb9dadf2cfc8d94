// A community for the tests of an application: Portico itself, in memory, in a process of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ACTS, type Acts, type RegisteredApplication, type Request, type Response } from './acts.ts';
import { runtime } from './runtime.ts';

export type { Acts, ApplicationToRegister, Choice, Fault, RegisteredApplication } from './acts.ts';

export interface Options {
  /** The callback of the application that is registered from the beginning. */
  redirectUri?: string;
  /** Its kind. `confidential` if left out. */
  kind?: 'public' | 'confidential';
  /** How many requests a token can make in a minute. */
  rateLimitPerMinute?: number;
}

export interface TestPortico extends Acts, RegisteredApplication {
  /** The address of the community. */
  issuer: string;
  /** Stop it. Nothing is left. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const PROGRAM = new URL('./server/packages/kit/server/server.js', import.meta.url);

/** Start a community with one member, alice, who has three posts, and with one application. */
export async function startPortico(options: Options = {}): Promise<TestPortico> {
  const {
    redirectUri = 'http://127.0.0.1:4000/callback',
    kind = 'confidential',
    rateLimitPerMinute = 60,
  } = options;
  const child = spawn(runtime(), [fileURLToPath(PROGRAM), String(rateLimitPerMinute)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { call, started } = channelTo(child);
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  try {
    const issuer = (await started) as string;
    const acts = Object.fromEntries(
      ACTS.map((act) => [act, (...words: unknown[]) => call(act, words)]),
    ) as unknown as Acts;
    await acts.addMember('alice');
    for (const title of ['On walking', 'On reading', 'On tea']) await acts.publish('alice', title);
    const application = await acts.register({ redirectUri, kind });
    return { issuer, ...application, ...acts, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function channelTo(child: ChildProcess) {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let count = 0;

  // Only an answer that is awaited keeps the test's process alive, so a test that forgets to close the community ends.
  child.unref();
  const answerTo = (id: number) => {
    child.channel?.ref();
    const answer = new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
    });
    return answer.finally(() => {
      if (waiting.size === 0) child.channel?.unref();
    });
  };
  child.on('message', ({ id, result, error }: Response) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error === undefined) resolve?.(result);
    else reject?.(new Error(error));
  });
  const end = () => {
    for (const { reject } of waiting.values()) reject(new Error('The community has stopped.'));
    waiting.clear();
  };
  child.once('exit', end).once('error', end);
  return {
    started: answerTo(count),
    call(act: keyof Acts, words: unknown[]): Promise<unknown> {
      count += 1;
      const request: Request = { id: count, act, words };
      child.send(request);
      return answerTo(count);
    },
  };
}
