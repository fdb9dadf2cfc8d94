// The names under which pages show tags, which are kept for some seconds.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { member, publish } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
const { portico } = app;

test('names that were read while a tag was changed are not kept', async () => {
  const bob = await member(app, 'bob');
  const { browser } = await member(app, 'olivia', { isOperator: true });
  await publish(portico, bob, 'On rye', 'Some words.', 'rye');
  const token = formTokenIn(await browser.read('/operator/tags'));
  app.clock.advance(MINUTE);
  const { reads } = portico.community;
  const [began, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  portico.community.reads = {
    ...reads,
    async changedTags(limit) {
      const tags = await reads.changedTags(limit);
      began.resolve();
      await changed.promise;
      return tags;
    },
  };
  const visitor = new Browser(app.url);
  const early = visitor.read('/');
  await began.promise;
  portico.community.reads = reads;

  const tag = await reads.findTag('rye');
  const fields = { form_token: token, id: `${tag?.id}`, change: 'hide' };
  const answer = await browser.post('/operator/tags/rye', new URLSearchParams(fields));
  changed.resolve();
  await early;

  assert.match(answer.headers.get('location') ?? '', /done=hidden/);
  assert.doesNotMatch(await visitor.read('/'), /#rye/);
});
