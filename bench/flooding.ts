// The floods, from 127.0.0.2: started by floods.ts with the name of one, until it is told to stop.

import { connect, type Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';

const HOST = 'Host: 127.0.0.1\r\n';
const PAGE = `GET / HTTP/1.1\r\n${HOST}\r\n`;
// As many as an attacker with one small machine holds.
const MANY = 1000;

let opened = 0;
let answered = 0;
let isOver = false;

interface Flood {
  connections: number;
  /** What a new connection sends, and goes on to do. */
  begin(socket: Socket): void;
}

export const FLOODS: Record<string, Flood> = {
  'slow headers': {
    connections: MANY,
    begin: (socket) => drip(socket, `GET / HTTP/1.1\r\n${HOST}`, 'a: b\r\n'),
  },
  'slow bodies': {
    connections: MANY,
    begin: (socket) => drip(socket, slowForm(), 'a'),
  },
  'slow readers': {
    connections: MANY,
    begin(socket) {
      socket.pause();
      socket.write(PAGE.repeat(30));
    },
  },
  'idle connections': { connections: MANY, begin: () => {} },
  requests: {
    connections: MANY,
    begin(socket) {
      onEachAnswer(socket, () => socket.write(PAGE));
      socket.write(PAGE);
    },
  },
  'many headers': { connections: MANY, begin: (socket) => socket.write(headed('a: b\r\n'.repeat(2500))) },
  'huge headers': {
    connections: MANY,
    begin: (socket) => socket.write(headed(`a: ${'b'.repeat(60_000)}\r\n`)),
  },
  'pipelined requests': {
    connections: MANY,
    begin(socket) {
      socket.on('data', () => socket.write(PAGE.repeat(16)));
      socket.write(PAGE.repeat(16));
    },
  },
  // The last, since the system then looks long for free ports.
  'connections that end at once': { connections: 64, begin: (socket) => socket.destroy() },
};

/** Calls `next` after each whole answer to a request that was sent alone. */
function onEachAnswer(socket: Socket, next: () => void): void {
  let missing = 0;
  socket.on('data', (data) => {
    if (missing === 0) {
      const text = data.toString('latin1');
      missing = text.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1]);
    }
    missing -= data.length;
    if (missing === 0) next();
  });
}

function headed(headers: string): string {
  return `GET / HTTP/1.1\r\n${HOST}${headers}\r\n`;
}

function slowForm(): string {
  const type = 'Content-Type: application/x-www-form-urlencoded\r\n';
  return `POST /login HTTP/1.1\r\n${HOST}${type}Content-Length: 100000\r\n\r\n`;
}

function drip(socket: Socket, first: string, drop: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(drop), 1000);
  socket.once('close', () => clearInterval(timer));
}

// As long as the flood lasts, a connection that was cut is opened again.
function open({ connections, begin }: Flood, port: number): void {
  const sockets = new Set<Socket>();
  const one = () => {
    if (isOver) return;
    opened += 1;
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2', noDelay: true });
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => (answered += 1));
    socket.once('connect', () => begin(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      setTimeout(one, 10);
    });
  };
  for (let count = 0; count < connections; count += 1) one();
  process.once('message', () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
    process.send?.(`${opened} connections, ${answered} answers`);
    process.disconnect?.();
  });
}

if (process.send !== undefined) {
  const [name = '', port] = process.argv.slice(2);
  const flood = FLOODS[name];
  if (flood === undefined) throw new Error(`no flood has the name ${name}`);
  // The measuring process shares the core with this one.
  setPriority(Math.min(19, getPriority() + 5));
  open(flood, Number(port));
}
