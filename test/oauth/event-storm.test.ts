import { test } from 'node:test';
import { temporaryFolder } from '../support/databases.ts';
import { deliverAll, PROMISE } from './event-storm.ts';

test(`From a server that is killed, ${PROMISE}`, async (t) => {
  await deliverAll(t, `file:${await temporaryFolder(t)}/portico.db`, 1);
});
