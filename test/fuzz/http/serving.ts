// The thread of the server under attack, with two members who have tokens and sessions.

import { createHmac } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parentPort } from 'node:worker_threads';
import { startSession } from '../../../src/identity/session.ts';
import { openApp } from '../../support/app.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { notebook, person, publish } from '../../support/people.ts';
import { addPersonalToken } from '../../support/seeding.ts';
import type { Credentials } from './streams.ts';

/** What the server tells when it is asked. */
export interface Usage {
  /** The number of the question. */
  id: number;
  /** Processor time of the server's thread so far. */
  ms: number;
  /** Memory in use, without garbage if asked for. */
  megabytes: number;
  /** The callers' ports whose requests have arrived whole and have no answer yet. */
  unanswered: number[];
}

/** Their names appear in no public place, so that only their own answers contain them. */
const NAMES = ['alice-of-the-fuzz', 'bob-of-the-fuzz'];

const open = new Map<IncomingMessage, number>();
subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  open.set(request, request.socket.remotePort ?? 0);
  response.once('close', () => open.delete(request));
});

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const app = await openApp({
    // A proxy's address is never shut out, whatever comes from it.
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '1000000000',
    TOKEN_RATE_LIMIT_PER_MINUTE: '1000000000',
  });
  const { portico, url } = app;
  const nina = await person(portico, 'nina');
  await publish(portico, nina, 'Bread and words', 'Some *words* about 面包.');
  const { id: clientId, secret: clientSecret } = await notebook(portico);
  const credentials: Credentials[] = [];
  for (const name of NAMES) {
    const { id, username } = await person(portico, name);
    const { text: apiToken } = await addPersonalToken(portico, id);
    const session = await startSession(portico.identity, id, { method: 'password', address: '192.0.2.7' });
    // As the pages make it for a signed-in browser (http/pages/visitor.ts).
    const formToken = createHmac('sha256', session).update('form').digest('base64url');
    const { host } = new URL(url);
    credentials.push({ username, host, apiToken, session, formToken, clientId, clientSecret });
  }
  port.on('message', ({ id, question }: { id: number; question: 'usage' | 'memory' }) => {
    if (question === 'memory') collectGarbage();
    const { user, system } = process.threadCpuUsage();
    const { heapUsed, external } = process.memoryUsage();
    const unanswered = [...open].filter(([{ complete }]) => complete).map(([, from]) => from);
    const usage: Usage = {
      id,
      ms: (user + system) / 1000,
      megabytes: (heapUsed + external) / 1e6,
      unanswered,
    };
    port.postMessage(usage);
  });
  port.postMessage(credentials);
}

if (parentPort !== null) await serve(parentPort);
