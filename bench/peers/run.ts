// Measures two libraries for authorization servers in the way in which `npm run bench` measures Portico. Both keep
// everything in memory; Portico writes to its database. From the root:
//
//   npm ci --prefix bench/peers
//   node bench/peers/run.ts
//
// Arguments choose peers and workloads by a part of their names. BENCH_MEMBERS, BENCH_ONCE, BENCH_SECONDS and
// BENCH_ROUNDS mean the same as for `npm run bench`.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  CONNECTIONS,
  type Measurement,
  measure,
  median,
  ROUNDS,
  SERVER_PORT,
  say,
  serveBaseline,
} from '../measuring.ts';
import { canPin, residentMegabytes, serve, stop, stopAll } from '../processes.ts';
import { PEERS, type Peer, type PeerWorkload } from './workloads.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 100_000);
/** How many requests a round has, for workloads whose requests can't be repeated. */
const UNREPEATABLE_REQUESTS = Number(process.env.BENCH_ONCE ?? 20_000);
const SEED_PORT = 4303;

interface PeerMeasurement extends Measurement {
  peer: Peer;
  /** Resident memory of the peer afterwards, in megabytes. */
  memory: number;
}

try {
  await serveBaseline();
  const measurements: PeerMeasurement[] = [];
  for (const peer of PEERS) measurements.push(...(await measurePeer(peer)));
  const text = render(measurements);
  const results = join(import.meta.dirname, '../results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'peers.md'), text);
  process.stdout.write(text);
} finally {
  await stopAll();
}

async function measurePeer(peer: Peer): Promise<PeerMeasurement[]> {
  const workloads = peer
    .workloads(SEED_PORT, MEMBERS, UNREPEATABLE_REQUESTS)
    .filter((workload) => isChosen(peer, workload));
  if (workloads.length === 0) return [];
  say(`${peer.name}`);
  const args = [join(import.meta.dirname, peer.file), String(SERVER_PORT), String(SEED_PORT)];
  const server = await serve(args, SERVER_PORT, { NODE_ENV: 'production' });
  const measurements: PeerMeasurement[] = [];
  for (const workload of workloads) {
    await prove(workload);
    const result = await measure(workload);
    measurements.push({ ...result, peer, memory: residentMegabytes(server) });
  }
  await stop(server);
  return measurements;
}

function isChosen(peer: Peer, workload: PeerWorkload): boolean {
  const parts = process.argv.slice(2);
  return parts.length === 0 || parts.some((part) => peer.name.includes(part) || workload.name.includes(part));
}

/** Check that a response has the expected content: the load checks only statuses. */
async function prove(workload: PeerWorkload): Promise<void> {
  const [request = ''] = await workload.requests(1);
  const socket = connect({ port: SERVER_PORT, host: '127.0.0.1' });
  socket.write(request.replace('\r\n', '\r\nConnection: close\r\n'));
  const answer = await text(socket);
  if (!answer.startsWith(`HTTP/1.1 ${workload.status} `) || !answer.includes(workload.expectedText)) {
    throw new Error(`${workload.name}: a wrong answer\n${answer}`);
  }
}

function render(measurements: PeerMeasurement[]): string {
  const rows = measurements.map(({ peer, workload, shares, middle, memory }) => {
    const cells = [
      peer.name,
      workload.name,
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
in memory; ${MEMBERS} live tokens; ${CONNECTIONS} connections; medians of ${ROUNDS} rounds. In the same minute as each round, a
bare \`node:http\` server that returns a small JSON is measured. The \`GET /me\` of oidc-provider is its userinfo. @node-oauth/oauth2-server knows no
id_token and no revocation.

| Peer | Work | Share of a bare server | Least–most | Per second | p50 / p99 ms | Bytes of the answer | CPU of the load | MB after it |
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
