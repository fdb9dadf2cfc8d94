// A name server on loopback.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { LOOPBACK } from './public-server.ts';

export interface NameServer {
  address: string;
  questions: string[];
  /** Waits until there were so many questions. */
  asked(count: number): Promise<void>;
}

/**
 * What a name leads to, for each kind of question. `silence`: the server never answers. A kind that is missing is
 * answered without an address, and an unknown name with the failure of `others`.
 */
export type Names = Readonly<Record<string, { A?: Answer; AAAA?: Answer }>>;
type Answer = readonly string[] | 'silence';

const KINDS: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const FAILURES = { 'no such name': 3, 'server failure': 2, silence: undefined };

/** Open a name server that knows these names. */
export async function openNameServer(
  t: TestContext,
  names: Names,
  others: keyof typeof FAILURES = 'no such name',
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const server: NameServer = {
    address: '',
    questions: [],
    async asked(count) {
      while (server.questions.length < count) await once(socket, 'message');
    },
  };
  socket.on('message', (message, from) => {
    const { name, end, kind } = questionOf(message);
    server.questions.push(`${name} ${kind}`);
    const known = names[name];
    const answer = known === undefined ? [] : (known[kind] ?? []);
    const status = known === undefined ? FAILURES[others] : 0;
    if (status === undefined || answer === 'silence') return;
    const header = Buffer.from(message.subarray(0, 12));
    header.writeUInt16BE(0x8180 + status, 2);
    header.writeUInt16BE(answer.length, 6);
    header.writeUInt16BE(0, 10);
    const records = answer.map((address) => recordOf(address, kind));
    socket.send(Buffer.concat([header, message.subarray(12, end), ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, LOOPBACK, resolve));
  t.after(() => socket.close());
  server.address = `${LOOPBACK}:${socket.address().port}`;
  return server;
}

function questionOf(message: Buffer): { name: string; end: number; kind: 'A' | 'AAAA' } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const kind = KINDS[message.readUInt16BE(at + 1)] ?? 'A';
  return { name: labels.join('.').toLowerCase(), end: at + 5, kind };
}

// The name is that of the question. It is valid for no time.
function recordOf(address: string, kind: 'A' | 'AAAA'): Buffer {
  const bytes =
    kind === 'A'
      ? address.split('.').map(Number)
      : address.split(':').flatMap((part) => [...Buffer.from(part.padStart(4, '0'), 'hex')]);
  const type = kind === 'A' ? 1 : 28;
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
}
