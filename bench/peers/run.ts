// What `npm run bench` measures of Portico, measured in the same way of two libraries that authorization servers are
// built with. Both keep everything in memory; Portico writes to its database. From the root:
//
//   npm ci --prefix bench/peers
//   node bench/peers/run.ts
//
// Words after it choose peers and works by a part of their names. BENCH_MEMBERS, BENCH_ONCE, BENCH_SECONDS and
// BENCH_ROUNDS mean what they mean there.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  CONNECTIONS,
  type Measured,
  measure,
  median,
  ROUNDS,
  SERVER_PORT,
  say,
  serveBaseline,
} from '../measuring.ts';
import { canPin, residentMegabytes, serve, stop, stopAll } from '../processes.ts';
import { PEERS, type Peer, type PeerWork } from './works.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 100_000);
const ONCE = Number(process.env.BENCH_ONCE ?? 20_000);
const SEED_PORT = 4303;

interface PeerMeasured extends Measured {
  peer: Peer;
  /** Resident memory of the peer afterwards, in megabytes. */
  memory: number;
}

try {
  await serveBaseline();
  const measured: PeerMeasured[] = [];
  for (const peer of PEERS) measured.push(...(await measurePeer(peer)));
  const text = render(measured);
  const results = join(import.meta.dirname, '../results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'peers.md'), text);
  process.stdout.write(text);
} finally {
  await stopAll();
}

async function measurePeer(peer: Peer): Promise<PeerMeasured[]> {
  const works = peer.works(SEED_PORT, MEMBERS, ONCE).filter((work) => isChosen(peer, work));
  if (works.length === 0) return [];
  say(`${peer.name}`);
  const words = [join(import.meta.dirname, peer.file), String(SERVER_PORT), String(SEED_PORT)];
  const server = await serve(words, SERVER_PORT, { NODE_ENV: 'production' });
  const measured: PeerMeasured[] = [];
  for (const work of works) {
    await prove(work);
    const result = await measure(work);
    measured.push({ ...result, peer, memory: residentMegabytes(server) });
  }
  await stop(server);
  return measured;
}

function isChosen(peer: Peer, work: PeerWork): boolean {
  const words = process.argv.slice(2);
  return words.length === 0 || words.some((word) => peer.name.includes(word) || work.name.includes(word));
}

/** Sees that an answer holds what the work is about: the load looks at statuses only. */
async function prove(work: PeerWork): Promise<void> {
  const [request = ''] = await work.requests(1);
  const socket = connect({ port: SERVER_PORT, host: '127.0.0.1' });
  socket.write(request.replace('\r\n', '\r\nConnection: close\r\n'));
  const answer = await text(socket);
  if (!answer.startsWith(`HTTP/1.1 ${work.status} `) || !answer.includes(work.sign)) {
    throw new Error(`${work.name}: a wrong answer\n${answer}`);
  }
}

function render(measured: PeerMeasured[]): string {
  const rows = measured.map(({ peer, work, shares, middle, memory }) => {
    const cells = [
      peer.name,
      work.name,
      `${median(shares).toFixed(1)} %`,
      `${Math.min(...shares).toFixed(1)}–${Math.max(...shares).toFixed(1)} %`,
      Math.round(middle.perSecond),
      `${middle.p50.toFixed(2)} / ${middle.p99.toFixed(2)}`,
      middle.bytes,
      `${Math.round(100 * middle.cpu)} %`,
      Math.round(memory),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `# Peers, measured

${cpus()[0]?.model.trim()}, ${availableParallelism()} cores${canPin ? ', server and load pinned to one each' : ', not pinned'}; Node ${process.versions.node}; ${versions()},
in memory; ${MEMBERS} live tokens; ${CONNECTIONS} connections; medians of ${ROUNDS} rounds, each beside a bare server of the runtime that answers
a small JSON, in the same minute. The \`GET /me\` of oidc-provider is its userinfo. @node-oauth/oauth2-server knows no
id_token and no revocation.

| Peer | Work | Share of a bare server | Least–most | Per second | p50 / p99 ms | Bytes of the answer | Load's own core | MB after it |
|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function versions(): string {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
  return Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(' and ');
}
