import { test } from 'node:test';
import { createPostgresDatabase } from '../support/databases.ts';
import { withoutDeployment } from '../support/deployments.ts';
import { deliverAll, PROMISE } from './event-storm.ts';

test(`From two machines that are killed, ${PROMISE}`, { skip: withoutDeployment('postgres') }, async (t) => {
  await deliverAll(t, await createPostgresDatabase(t), 2);
});
