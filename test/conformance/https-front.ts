// https for tests: a certificate authority for this run, and a TLS server in front of the program's http port, like an
// operator's reverse proxy.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type App, openApp } from '../support/app.ts';
import { freePort } from '../support/services.ts';

/** For a test's `skip`: false if certificates can be created, otherwise the reason to skip it. */
export const withoutOpenssl = hasOpenssl() ? false : 'no openssl';

/** Handles the requests to an https server. */
export type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export interface HttpsServer {
  /** Without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** Open the whole program at an https address that this process trusts. */
export async function openHttpsApp(): Promise<App> {
  const port = await freePort();
  const front = await listenHttps(forwardTo(port));
  const app = await openApp({ PORT: String(port), BASE_URL: front.url, TRUST_PROXY: '127.0.0.1' });
  return {
    ...app,
    async close() {
      await front.close();
      await app.close();
    },
  };
}

/** Listen on a free port of this machine, with a certificate that this process trusts. */
export async function listenHttps(handler: Handler): Promise<HttpsServer> {
  const server = createServer(certificate(), handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listening server has no port.');
  return {
    url: `https://localhost:${address.port}`,
    async close() {
      const closing = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closing;
    },
  };
}

function forwardTo(port: number): Handler {
  return (incoming, outgoing) => {
    // The proxy adds no header of its own.
    outgoing.sendDate = false;
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress };
    const { method, url: path } = incoming;
    const inner = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  };
}

let certificateOfRun: { key: string; cert: string } | undefined;

/** Return the server's certificate. The first call creates it, and makes this process trust its authority. */
function certificate(): { key: string; cert: string } {
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
