// The sites of applications that describe themselves, on loopback. Their names lead there as on the internet.

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { documentFetcher } from '../../src/http/oauth/document-fetcher.ts';
import type { PublicRequest } from '../../src/lib/public-fetch.ts';
import type { FetchDocument } from '../../src/oauth/client-documents.ts';
import { fetchWith, toLoopback } from '../lib/public-server.ts';
import type { TestScope } from './databases.ts';

export interface DocumentSite {
  /** The address of its document, and the client_id. */
  url: string;
  redirectUri: string;
  /** What the document says from now on. */
  document: Record<string, unknown>;
  headers: Record<string, string>;
  /** Answers in place of the document. */
  answer: RequestListener | undefined;
  requests: number;
}

export interface DocumentSites {
  /** Fetches as the server does, but without TLS, and from these sites. */
  fetch: FetchDocument;
  /** A site whose document is as it should be. */
  add(host?: string, path?: string): DocumentSite;
}

/** Open sites. `request` is for what the server allows in a fetch, or for what the names lead to. */
export async function openDocumentSites(
  scope: TestScope,
  request: PublicRequest = {},
): Promise<DocumentSites> {
  const sites = new Map<string, DocumentSite>();
  const server = createServer((asked, response) => {
    const { hostname, pathname } = new URL(asked.url ?? '/', `http://${asked.headers.host}`);
    const site = sites.get(hostname + pathname);
    if (site === undefined) return void response.writeHead(404).end();
    site.requests += 1;
    if (site.answer !== undefined) return site.answer(asked, response);
    response.writeHead(200, { 'Content-Type': 'application/json', ...site.headers });
    response.end(JSON.stringify(site.document));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const fetch = documentFetcher(fetchWith(toLoopback({ httpsOnly: false, ...request })));
  return {
    fetch: (address) => fetch(address.replace(/^https:\/\/([^/]+)/, `http://$1:${port}`)),
    add(host = 'assistant.example', path = '/client.json') {
      const url = `https://${host}${path}`;
      const redirectUri = `https://${host}/callback`;
      const document = { client_id: url, client_name: 'Assistant', redirect_uris: [redirectUri] };
      const site = { url, redirectUri, document, headers: {}, answer: undefined, requests: 0 };
      sites.set(host + path, site);
      return site;
    },
  };
}

/** The application of a site, as one side of the flow. */
export function applicationOf({ url, redirectUri }: DocumentSite) {
  return { id: url, secret: '', redirectUri };
}
