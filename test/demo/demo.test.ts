// The demo: a believable community, an application that reads from it, and nothing left behind.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Demo, openDemo } from '../../demo/demo.ts';
import { chanceFrom } from '../../demo/random.ts';
import { MEMBER, OPERATOR, PASSWORD } from '../../demo/seeding.ts';
import { chinese, english, writePost } from '../../demo/writing.ts';
import { Visitor } from '../examples/visitor.ts';
import { Browser } from '../support/browser.ts';

describe('The demo', () => {
  let demo: Demo;
  before(async () => {
    demo = await openDemo({ port: 0, samplePort: 0, members: 20, posts: 60 });
  });
  after(() => demo.stop());

  /** Begin at the application, sign in at the community, and answer the consent page. */
  async function signIn(visitor: Visitor, username: string, decision: 'allow' | 'deny'): Promise<Response> {
    const { pathname, search } = new URL(await visitor.redirectFrom('/sign-in'));
    const browser = new Browser(demo.url);
    await browser.signIn(username, PASSWORD);
    const page = await (await browser.open(pathname + search)).text();
    const redirect = await browser.submit(page, '/oauth/consent', { decision });
    return visitor.send(redirect.headers.get('location') ?? '');
  }

  test('has posts, members who can sign in, and an operator', async () => {
    const front = await (await fetch(demo.url)).text();
    const browser = new Browser(demo.url);
    const member = await browser.signIn(MEMBER, PASSWORD);
    const operator = new Browser(demo.url);
    await operator.signIn(OPERATOR, PASSWORD);

    assert.match(front, /<article/);
    assert.equal(member.status, 303);
    assert.equal((await operator.open('/operator')).status, 200);
    assert.equal((await browser.open('/operator')).status, 404);
  });

  test('signs a member in to the sample application, which reads, and signs out', async () => {
    const visitor = new Visitor(demo.sampleUrl);

    const returned = await signIn(visitor, MEMBER, 'allow');
    const signedIn = await visitor.page();
    await visitor.send('/sign-out', 'POST');

    assert.equal(returned.status, 303);
    assert.match(signedIn, /You are <strong>alice<\/strong>/);
    assert.match(signedIn, /Your [1-9]\d* posts/);
    assert.match(await visitor.page(), /Sign in with the community/);
  });

  test('shows in the sample application that a member did not allow it', async () => {
    const answer = await signIn(new Visitor(demo.sampleUrl), OPERATOR, 'deny');

    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /role="alert"/);
  });
});

test('Stopping the demo stops both servers and deletes its folder.', async () => {
  const demo = await openDemo({ port: 0, samplePort: 0, members: 3, posts: 3 });
  const wasThere = existsSync(demo.folder);

  await demo.stop();

  assert.equal(wasThere, true);
  assert.equal(existsSync(demo.folder), false);
  await assert.rejects(fetch(demo.url));
  await assert.rejects(fetch(demo.sampleUrl));
});

test('Posts are the same each time, and every placeholder is filled.', () => {
  for (const language of [english, chinese]) {
    const [one, other] = [chanceFrom(7), chanceFrom(7)];
    const texts = Array.from({ length: 300 }, () => writePost(one, language));

    assert.deepEqual(
      Array.from({ length: 300 }, () => writePost(other, language)),
      texts,
    );
    assert.ok(new Set(texts.map(({ body }) => body)).size > 290);
    for (const { title, body } of texts) assert.doesNotMatch(title + body, /[{}]\w|undefined/);
  }
});
