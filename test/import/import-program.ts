// The command line, for which names that end with `.example` lead to this machine, so that a test can serve pictures.

import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { runProgram } from '../../src/cli/program.ts';
import { readConfig } from '../../src/config.ts';
import { isPublicAddress } from '../../src/lib/public-address.ts';

const LOOPBACK = '127.0.0.1';
const toLoopback: LookupFunction = (host, options, callback) =>
  host.endsWith('.example')
    ? callback(null, [{ address: LOOPBACK, family: 4 }])
    : lookup(host, options, callback);
// Only the test's server may be reached: a URL can't name the address.
const requests = {
  ports: 'any',
  network: { lookup: toLoopback, isPublic: (ip: string) => ip === LOOPBACK || isPublicAddress(ip) },
} as const;

const { code, stdout, stderr } = await runProgram(process.argv.slice(2), {
  config: async () => readConfig(process.env),
  creates: false,
  asJson: false,
  requests,
  write: async () => {},
  progress: () => {},
  readInput: async () => '',
  writeOutput: async () => {},
});
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
