// What the server accepts while it fetches the document of an application, from a site that does its worst.

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { documentFetcher } from '../../../src/http/oauth/document-fetcher.ts';
import { fetchPublic, type PublicRequest } from '../../../src/lib/public-fetch.ts';
import { fetchWith, LOOPBACK, namesLeadTo, openServer, toLoopback } from '../../lib/public-server.ts';

const json: RequestListener = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'max-age=60' }).end('{}');
};

function typed(type: string, status = 200): RequestListener {
  return (_, response) => void response.writeHead(status, { 'Content-Type': type }).end('{}');
}

async function fetched(t: TestContext, answer: RequestListener, request: PublicRequest = {}) {
  const site = await openServer(t, answer);
  return documentFetcher(fetchWith(toLoopback({ httpsOnly: false, ...request })))(`${site}/client.json`);
}

test('A document comes with its cache header, whatever parameters its type has', async (t) => {
  const { body, cacheControl } = await fetched(t, json);

  assert.equal(Buffer.from(body).toString(), '{}');
  assert.equal(cacheControl, 'max-age=60');
  await fetched(t, typed('application/json; charset=utf-8'));
  await fetched(t, typed('application/cimd+json'));
});

test('Only https on port 443 is fetched', async () => {
  const fetch = documentFetcher(fetchPublic);

  await assert.rejects(fetch('http://assistant.example/client.json'), /must begin with https:/);
  await assert.rejects(fetch('https://assistant.example:8443/client.json'), /port 443, not 8443/);
});

test('A name of an address that is not public is not connected to', async (t) => {
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.1']) {
    let requests = 0;
    const site = await openServer(t, () => (requests += 1));
    const network = { lookup: namesLeadTo(address) };
    const fetch = documentFetcher(fetchWith({ httpsOnly: false, ports: 'any', network }));
    await assert.rejects(fetch(`${site}/client.json`), /not on the public internet/);
    assert.equal(requests, 0);
  }
});

test('A name that leads elsewhere at the second look is looked up once', async (t) => {
  const lookup = namesLeadTo(LOOPBACK, '10.0.0.1');

  await fetched(t, json, { network: { lookup } });
  await assert.rejects(fetched(t, json, { network: { lookup } }), /not on the public internet/);
});

test('A redirect is not followed', async (t) => {
  let requests = 0;
  const redirect: RequestListener = (_, response) => {
    requests += 1;
    response.writeHead(302, { Location: '/other.json' }).end();
  };

  await assert.rejects(fetched(t, redirect), /redirects to another address/);
  assert.equal(requests, 1);
});

test('A document of more than 5 kB is not read, whether the site says its length or not', async (t) => {
  const text = JSON.stringify({ a: 'a'.repeat(5 * 1024) });
  const type = { 'Content-Type': 'application/json' };

  await assert.rejects(
    fetched(
      t,
      (_, response) => void response.writeHead(200, { ...type, 'Content-Length': text.length }).end(text),
    ),
    /more than 5120 bytes/,
  );
  await assert.rejects(
    fetched(t, (_, response) => {
      response.writeHead(200, type);
      for (const letter of text.match(/.{1,100}/g) ?? []) response.write(letter);
      response.end();
    }),
    /more than 5120 bytes/,
  );
  await assert.rejects(
    fetched(
      t,
      (_, response) => void response.writeHead(200, { ...type, 'X-Long': 'a'.repeat(9000) }).end('{}'),
    ),
    /header that is too long/,
  );
});

test('A site that hangs, or sends byte by byte, is given up in time', async (t) => {
  await assert.rejects(
    fetched(t, () => {}, { time: 50 }),
    /does not answer in time/,
  );
  const trickle: RequestListener = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(timer));
  };
  await assert.rejects(fetched(t, trickle, { time: 50 }), /does not answer in time/);
});

test('Another status or type is no document', async (t) => {
  for (const status of [201, 204, 401, 404, 500]) {
    await assert.rejects(
      fetched(t, typed('application/json', status)),
      new RegExp(`status ${status}, not 200`),
    );
  }
  for (const type of ['text/html', 'text/json', 'application/jsonp', 'application/json-seq', 'none']) {
    await assert.rejects(fetched(t, typed(type)), /Content-Type of the document/);
  }
  await assert.rejects(
    fetched(t, (_, response) => void response.writeHead(200).end('{}')),
    /Content-Type of the document/,
  );
});
