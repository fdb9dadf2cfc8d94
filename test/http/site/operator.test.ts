// The operators' pages: members, applications, categories, invitations, the audit log.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { byCommandLine, byServer } from '../../../src/audit/doer.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { member, notebook, person, publish } from '../../support/people.ts';
import { addMember, addPersonalToken } from '../../support/seeding.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());

const olivia = await member(app, 'olivia', { isOperator: true });
const operator = olivia.browser;
const alice = await member(app, 'alice');
const bob = await member(app, 'bob');

async function lastAct(): Promise<string | undefined> {
  const [event] = await portico.audit.reads.auditEvents({ limit: 1 });
  return event && `${event.actorName} ${event.action} ${event.subject.kind}:${event.subject.id}`;
}

describe('The operators’ pages', () => {
  const paths = [
    '/operator',
    '/operator/reports',
    '/operator/members',
    `/operator/members/${alice.id}`,
    `/operator/members/${alice.id}/close`,
    '/operator/applications',
    '/operator/categories',
    '/operator/tags',
    '/operator/invitations',
    '/operator/settings',
    '/operator/texts',
    '/operator/texts/rules',
    '/operator/audit',
    '/operator/security',
    '/operator/mails',
    '/operator/server',
  ];

  test('exist for operators only', async () => {
    for (const path of paths) {
      const statuses = [operator, alice.browser, new Browser(app.url)].map(
        async (browser) => (await browser.open(path)).status,
      );
      assert.deepEqual(await Promise.all(statuses), [200, 404, 404], path);
    }
  });

  test('check each form: a member who sends one changes nothing', async () => {
    const { id } = await person(portico, 'erin');
    const token = formTokenIn(await alice.browser.read('/settings/profile'));
    const client = await notebook(portico, { name: 'Untouched' });
    const forms: [string, Record<string, string>][] = [
      [`/operator/members/${id}/suspend`, {}],
      [`/operator/members/${id}/close`, {}],
      [`/operator/members/${alice.id}/membership`, { membership: 'never' }],
      [`/operator/applications/${client.id}/deactivate`, {}],
      ['/operator/categories', { name: 'Mine' }],
      ['/operator/invitations', { days: '7' }],
      ['/operator/reports', { post: '1', decision: 'remove' }],
      ['/operator/mails/again', { mail: '1' }],
    ];
    const acts = (await portico.audit.reads.auditEvents({ limit: 100 })).length;

    for (const [path, fields] of forms) {
      const answer = await alice.browser.post(path, new URLSearchParams({ form_token: token, ...fields }));
      assert.equal(answer.status, 404, path);
    }

    assert.equal((await portico.identity.reads.findUser(id))?.status, 'active');
    assert.equal((await portico.audit.reads.auditEvents({ limit: 100 })).length, acts);
  });

  test('accept no form without its token', async () => {
    for (const path of [
      `/operator/members/${alice.id}/suspend`,
      '/operator/categories',
      '/operator/invitations',
    ]) {
      assert.equal((await operator.post(path, new URLSearchParams({ name: 'x' }))).status, 403);
    }
    assert.equal((await portico.identity.reads.findUser(alice.id))?.status, 'active');
  });

  test('disappear at once for a member who is no longer an operator', async () => {
    const otto = await member(app, 'otto', { isOperator: true });
    const before = (await otto.browser.open('/operator')).status;

    await portico.identity.writes.setRole(byServer(portico.clock), otto.id, 'member');

    assert.deepEqual([before, (await otto.browser.open('/operator')).status], [200, 404]);
  });

  test('are linked for operators only', async () => {
    assert.match(await operator.read('/settings/profile'), /href="\/operator"/);
    assert.ok(!(await alice.browser.read('/settings/profile')).includes('href="/operator"'));
  });
});

describe('An operator', () => {
  test('suspends a member after a confirmation, which signs the member out, and reactivates the account', async () => {
    const dave = await member(app, 'dave');
    const { text: token } = await addPersonalToken(portico, dave.id);
    const path = `/operator/members/${dave.id}`;
    const call = async () =>
      (await fetch(`${app.url}/api/open/v1/me`, { headers: { Authorization: `Bearer ${token}` } })).status;
    assert.match(await operator.read(`${path}/suspend`), /Suspend dave\?[\s\S]*signed out everywhere/);

    const answer = await operator.submit(await operator.read(`${path}/suspend`), `${path}/suspend`);
    const during = [await call(), (await dave.browser.open('/settings/profile')).status];
    assert.match(await operator.read(answer.headers.get('location') ?? ''), /Account suspended/);
    assert.equal(await lastAct(), `olivia user.suspend user:${dave.id}`);
    assert.match(await operator.read('/operator/members?filter=suspended'), />\s*dave\s*</);
    await operator.submit(await operator.read(`${path}/reactivate`), `${path}/reactivate`);

    assert.deepEqual(during, [401, 303]);
    assert.equal(await call(), 200);
    assert.equal(await lastAct(), `olivia user.reactivate user:${dave.id}`);
  });

  test('closes an account permanently', async () => {
    const frank = await member(app, 'frank');
    const post = await publish(portico, frank, 'Of frank');
    const path = `/operator/members/${frank.id}`;

    await operator.submit(await operator.read(`${path}/close`), `${path}/close`);

    assert.equal((await portico.identity.reads.findUser(frank.id))?.status, 'closed');
    assert.equal((await operator.open(`/posts/${post}`)).status, 404);
    const token = formTokenIn(await operator.read('/operator/categories'));
    const again = await operator.post(`${path}/reactivate`, new URLSearchParams({ form_token: token }));
    assert.equal(again.status, 409);
    assert.match(await again.text(), /This account is closed/);
  });

  test('can do none of this to their own account', async () => {
    await member(app, 'ottilie', { isOperator: true });
    const path = `/operator/members/${olivia.id}`;
    assert.match(await operator.read(path), /This is you/);

    for (const change of ['suspend', 'close']) {
      const answer = await operator.submit(await operator.read(`${path}/${change}`), `${path}/${change}`);
      assert.equal(answer.status, 409);
      assert.match(await answer.text(), /This is you/);
    }

    assert.equal((await portico.identity.reads.findUser(olivia.id))?.status, 'active');
  });

  test('finds members by the beginning of their usernames, in any case', async () => {
    await person(portico, 'Zoë.1');
    await person(portico, 'zoë-2');

    const page = await operator.read(`/operator/members?name=${encodeURIComponent('ZOË')}`);
    const nobody = await operator.read('/operator/members?name=%25');

    assert.match(page, /Zoë\.1[\s\S]*zoë-2|zoë-2[\s\S]*Zoë\.1/);
    assert.ok(!/>\s*alice\s*</.test(page));
    assert.match(nobody, /No members match/);
  });

  test('sees the newest members by the day they joined, page by page, also after an import', async () => {
    for (let index = 0; index < 60; index += 1) {
      await addMember(portico, `imported${index}`, { createdAt: Date.UTC(2020, 0, 100 - index) });
    }
    const namesOn = (page: string) =>
      [...page.matchAll(/>\s*imported(\d+)\s*</g)].map(([, index]) => Number(index));

    const first = await operator.read('/operator/members');
    const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const numbers = [...namesOn(first), ...namesOn(await operator.read(next))];

    assert.ok(first.indexOf('alice') < first.indexOf('imported0'));
    assert.deepEqual(
      numbers,
      Array.from({ length: 60 }, (_, index) => index),
    );
  });

  test('deactivates an application after a confirmation, and activates it again', async () => {
    const { id } = await notebook(portico, { name: 'Atlas', ownerId: bob.id });
    const list = await operator.read('/operator/applications');
    assert.match(list, /Atlas[\s\S]*bob[\s\S]*Server app[\s\S]*notebook\.example\.com/);
    const path = `/operator/applications/${id}`;

    await operator.submit(await operator.read(`${path}/deactivate`), `${path}/deactivate`);
    const during = (await portico.oauth.reads.findClient(id))?.status;
    await operator.submit(await operator.read(`${path}/activate`), `${path}/activate`);

    assert.equal(during, 'deactivated');
    assert.equal((await portico.oauth.reads.findClient(id))?.status, 'active');
    assert.equal(await lastAct(), `olivia client.activate client:${id}`);
  });

  test('adds a category and renames it; its address stays', async () => {
    const page = () => operator.read('/operator/categories');
    const token = formTokenIn(await page());
    const send = (fields: Record<string, string>) =>
      operator.post('/operator/categories', new URLSearchParams({ form_token: token, ...fields }));

    const added = await send({ name: 'Craft' });
    const renamed = await send({ slug: 'craft', name: 'Handiwork & more' });
    const [duplicate, nothing, unknown] = [
      await send({ slug: 'craft', name: 'general' }),
      await send({ name: ' ' }),
      await send({ slug: 'nowhere', name: 'Other' }),
    ];

    assert.deepEqual(
      [added, renamed, duplicate, nothing, unknown].map(({ status }) => status),
      [303, 303, 400, 400, 404],
    );
    assert.match(await duplicate.text(), /Another category has this name/);
    const categories = await portico.community.reads.categories();
    assert.deepEqual(
      categories.map(({ slug, name }) => [slug, name]),
      [
        ['general', 'General'],
        ['craft', 'Handiwork & more'],
      ],
    );
    assert.match(await page(), /value="Handiwork &amp; more"/);
  });

  test('creates an invitation, whose link is shown once, and revokes it', async () => {
    const page = await operator.read('/operator/invitations');

    const answer = await operator.submit(page, '/operator/invitations', { note: 'For hugo', days: '3' });

    const created = await answer.text();
    const link = /<pre class="once"[^>]*>([^<]+)<\/pre>/.exec(created)?.[1] ?? '';
    assert.ok(link.startsWith(`${app.url}/`));
    assert.equal(
      await (async () =>
        (await new Browser(app.url).follow(new URL(link).pathname + new URL(link).search)).status)(),
      200,
    );
    const list = await operator.read('/operator/invitations');
    assert.match(list, /For hugo[\s\S]*Not used yet/);
    assert.ok(!list.includes(link));
    await operator.submit(list, '/operator/invitations/revoke');
    assert.match(await operator.read('/operator/invitations'), /For hugo[\s\S]*Revoked/);
    const refused = await operator.submit(page, '/operator/invitations', { days: '0' });
    assert.equal(refused.status, 400);
    const events = await portico.audit.reads.auditEvents({ limit: 2 });
    assert.deepEqual(
      events.map(({ action, actorName }) => [action, actorName]),
      [
        ['invitation.revoke', 'olivia'],
        ['invitation.create', 'olivia'],
      ],
    );
  });

  test('reads the audit log, all of it or for one subject, page by page', async () => {
    const { id } = await person(portico, 'ivan');
    for (let n = 0; n < 51; n += 1) {
      await portico.identity.writes.setMemberUntil(
        byCommandLine(portico.clock),
        id,
        Date.UTC(2090, 0, 1 + n),
      );
    }

    const all = await operator.read('/operator/audit');
    const own = await operator.read(`/operator/audit?subject=user:${id}`);
    const next = /rel="next" href="([^"]+)"/.exec(own)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const rest = await operator.read(next);

    assert.match(all, /command line[\s\S]*changed the membership/);
    assert.equal(own.match(/changed the membership/g)?.length, 50);
    assert.equal(rest.match(/changed the membership/g)?.length, 1);
    assert.ok(!rest.includes('rel="next"'));
    assert.match(rest, /last day: 2089-12-31|last day: 2090-01-01/);
  });

  test('finds no link to a next page on the last one', async () => {
    const { id } = await person(portico, 'jan');
    for (let n = 0; n < 50; n += 1) {
      await portico.identity.writes.setMemberUntil(
        byCommandLine(portico.clock),
        id,
        Date.UTC(2090, 0, 1 + n),
      );
    }

    const whole = await operator.read(`/operator/audit?subject=user:${id}`);

    assert.equal(whole.match(/changed the membership/g)?.length, 50);
    assert.ok(!whole.includes('rel="next"'));
  });
});
