// Redirects: off by default, and each address is judged like the first.

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, test } from 'node:test';
import { type FetchFailure, fetchPublic } from '../../src/lib/public-fetch.ts';
import { LOOPBACK, namesLeadTo, openServer, refusal, toLoopback } from './public-server.ts';

describe('a redirect', () => {
  const redirectTo =
    (location: string, status = 302): RequestListener =>
    ({ url }, response) =>
      url === '/end' ? response.end('the end') : response.writeHead(status, { Location: location }).end();

  test('is not followed by default', async (t) => {
    const url = await openServer(t, redirectTo('/end'));

    await refusal(url, toLoopback(), 'redirected', /pictures\.example:\d+ redirects to another address/);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    test(`of status ${status} is followed if the caller allows it`, async (t) => {
      const url = await openServer(t, redirectTo('/end', status));

      const answer = await fetchPublic(url, toLoopback({ mostRedirects: 1 }));

      assert.equal(Buffer.from(answer.body).toString(), 'the end');
      assert.equal(answer.url, `${url}/end`);
    });
  }

  test('is followed no more often than allowed', async (t) => {
    let requests = 0;
    const url = await openServer(t, (_, response) => {
      requests += 1;
      response.writeHead(302, { Location: `/${requests}` }).end();
    });

    await refusal(url, toLoopback({ mostRedirects: 3 }), 'redirected', /redirects too often/);
    assert.equal(requests, 4);
  });

  test('of a POST is never followed', async (t) => {
    const url = await openServer(t, redirectTo('/end', 307));

    await refusal(
      url,
      toLoopback({ method: 'POST', body: 'x', mostRedirects: 3 }),
      'redirected',
      /redirects/,
    );
  });

  test('is followed without reading its body', async (t) => {
    const closed = Promise.withResolvers<void>();
    const url = await openServer(t, (request, response) => {
      if (request.url === '/end') return response.end('the end');
      request.socket.once('close', closed.resolve);
      return response.writeHead(302, { Location: '/end' }).write('and so on');
    });

    await fetchPublic(url, toLoopback({ mostRedirects: 1 }));
    await closed.promise;
  });

  for (const [location, reason] of [
    ['http://10.0.0.1/', 'not_public'],
    ['//[::1]/', 'not_public'],
    ['file:///etc/passwd', 'bad_scheme'],
    ['http://a:b@pictures.example/', 'bad_address'],
    ['http://', 'bad_address'],
  ] as [string, FetchFailure][]) {
    test(`to ${location} is refused`, async (t) => {
      const url = await openServer(t, redirectTo(location));

      await refusal(
        url,
        toLoopback({ mostRedirects: 3 }),
        reason,
        /^pictures\.example:\d+ redirects there: /,
      );
    });
  }

  test('to a name inside is refused', async (t) => {
    const url = await openServer(t, redirectTo('http://inside.example/'));
    const lookup = namesLeadTo(LOOPBACK, '192.168.0.1');

    await refusal(
      url,
      toLoopback({ mostRedirects: 3, network: { lookup } }),
      'not_public',
      /^inside\.example /,
    );
  });

  test('to another port is refused if the caller allows one only', async (t) => {
    const url = await openServer(t, redirectTo('http://pictures.example:22/'));
    const ports = [Number(new URL(url).port)];

    await refusal(url, toLoopback({ mostRedirects: 3, ports }), 'bad_port', /not 22$/);
  });

  test("to another origin does not get the caller's headers", async (t) => {
    const other = await openServer(t, ({ headers }, response) => response.end(JSON.stringify(headers)));
    const url = await openServer(t, redirectTo(other));
    const headers = { Authorization: 'Bearer secret' };

    const answer = await fetchPublic(url, toLoopback({ mostRedirects: 1, headers }));

    assert.ok(!Buffer.from(answer.body).toString().includes('secret'));
  });
});
