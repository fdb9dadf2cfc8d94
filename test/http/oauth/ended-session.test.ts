// A request whose body arrives after the session has ended.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { endSignIns } from '../../../src/identity/session.ts';
import { openApp } from '../../support/app.ts';
import { member, notebook } from '../../support/people.ts';
import { answerConsent, authorizationRequest } from '../../support/relying-party.ts';

const app = await openApp();
after(() => app.close());

test('A held-back authorization request gets no code once the member’s sign-ins have ended', async () => {
  const { portico } = app;
  const client = await notebook(portico);
  const alice = await member(app, 'alice');
  await answerConsent(alice.browser, authorizationRequest(client));
  const body = authorizationRequest(client).toString();
  const { host, port } = new URL(app.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    [
      'POST /oauth/authorize HTTP/1.1',
      `Host: ${host}`,
      `Cookie: portico_session=${alice.browser.cookie('portico_session')}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      'Connection: close',
      'Expect: 100-continue',
      '',
      body.slice(0, 10),
    ].join('\r\n'),
  );
  // The server has read the head.
  await once(socket, 'data');

  await endSignIns(byServer(portico.clock), portico.identity, alice.id);
  socket.write(body.slice(10));
  const answer = await text(socket);

  const location = /^location: (.*)$/im.exec(answer)?.[1] ?? '';
  assert.match(answer, /HTTP\/1\.1 303/);
  assert.match(location, /^\/oauth\/authorize\?/);
});
