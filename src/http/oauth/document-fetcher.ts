// Fetching the documents in which applications describe themselves, from addresses that strangers choose.

import { SECOND } from '../../lib/clock.ts';
import type { PublicRequest } from '../../lib/public-fetch.ts';
import type { FetchPublic } from '../../lib/public-fetcher.ts';
import { UnusableDocument } from '../../oauth/client-document.ts';
import type { FetchDocument } from '../../oauth/client-documents.ts';

// The size is the one that the draft recommends. The member waits meanwhile.
const REQUEST = {
  httpsOnly: true,
  ports: [443],
  mostRedirects: 0,
  mostBytes: 5 * 1024,
  mostHeaderBytes: 8 * 1024,
  time: 5 * SECOND,
  connectTime: 3 * SECOND,
  headers: { Accept: 'application/json' },
} as const satisfies PublicRequest;

/** Make the function that fetches a document. */
export function documentFetcher(fetchElsewhere: FetchPublic): FetchDocument {
  return async (address) => {
    const { status, headers, body } = await fetchElsewhere(address, REQUEST);
    const { 'content-type': type = 'none', 'cache-control': cacheControl } = headers;
    if (status !== 200) {
      const message = `The document was answered with status ${status}, not 200.`;
      throw new UnusableDocument(message, status === 429 || status >= 500);
    }
    if (!/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)) {
      throw new UnusableDocument('The Content-Type of the document must be application/json.');
    }
    return { body, cacheControl };
  };
}
