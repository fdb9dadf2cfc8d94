// Why a connection or a file operation failed, in words.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { failureReason } from '../../src/lib/failure-reason.ts';
import { freePort } from '../support/services.ts';

const withCode = (code: string, message = 'the library’s own sentence') =>
  Object.assign(new Error(message), { code });

test('A reason comes from the code, and never quotes the library', () => {
  const reasons: [unknown, string][] = [
    [withCode('ENOTFOUND'), 'there is no such host'],
    [withCode('28P01'), 'it refused the user name or the password'],
    [Object.assign(withCode('ESOCKET'), { originalCode: 'ECONNREFUSED' }), 'no program is listening there'],
    [Object.assign(withCode('ESOCKET'), { originalCode: 'ERR_SSL_WRONG_VERSION_NUMBER' }), NO_TLS],
    [Object.assign(withCode('ERR_SQLITE_ERROR'), { errcode: 26 }), 'it is not a database'],
    [new Error('fetch failed', { cause: withCode('ECONNRESET') }), 'it closed the connection'],
    [new Error('WRONGPASS invalid username-password pair'), 'it refused the user name or the password'],
    [new Error("Stream isn't writeable and enableOfflineQueue options is false"), 'it closed the connection'],
    [withCode('ENEW'), 'error ENEW'],
  ];

  for (const [error, reason] of reasons) assert.equal(failureReason(error), reason);
});

const NO_TLS = 'it does not speak TLS on this port';

test('A host with several addresses fails with the reason of the first', async () => {
  const socket = connect({ port: await freePort(), host: 'localhost', autoSelectFamily: true });
  const error = await new Promise((resolve) => socket.once('error', resolve));

  assert.equal(failureReason(error), 'no program is listening there');
});
