// A certificate for https on this machine, by an authority that exists for this process only.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** For a test's `skip`: false if certificates can be created, otherwise the reason to skip it. */
export const withoutOpenssl = hasOpenssl() ? false : 'no openssl';

let certificateOfRun: { key: string; cert: string } | undefined;

/** Return the server's certificate. The first call creates it, and makes this process trust its authority. */
export function certificate(): { key: string; cert: string } {
  if (certificateOfRun !== undefined) return certificateOfRun;
  const folder = mkdtempSync(join(tmpdir(), 'portico-tls-'));
  const authority = join(folder, 'authority');
  const server = join(folder, 'server');
  makeCertificate(authority, ['-subj', '/CN=Portico test authority']);
  makeCertificate(server, [
    ...['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=critical,CA:FALSE'],
  ]);
  certificateOfRun = {
    key: readFileSync(`${server}.key`, 'utf8'),
    cert: readFileSync(`${server}.pem`, 'utf8'),
  };
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(`${authority}.pem`, 'utf8')]);
  rmSync(folder, { recursive: true });
  return certificateOfRun;
}

function makeCertificate(name: string, words: string[]): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
  const command = ['req', '-x509', ...key, '-days', '2', ...words, '-out', `${name}.pem`];
  execFileSync('openssl', command, { stdio: 'ignore' });
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
