// The baseline of all measurements: a bare `node:http` server that returns a small JSON.

import { createServer } from 'node:http';

const BODY = JSON.stringify({
  id: 7,
  username: 'alice',
  bio: 'Reads a lot',
  member: true,
  level: 3,
  xp: 1234,
});

createServer((_, answer) => {
  answer.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': BODY.length });
  answer.end(BODY);
}).listen(Number(process.argv[2]), '127.0.0.1');
