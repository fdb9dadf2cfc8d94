// Spec §2.2 to §2.6 and §9: the data of the resource API, field by field.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { removePost } from '../../../src/community/post.ts';
import { publish as publishDraft, save, write } from '../../../src/community/writing.ts';
import { createUser } from '../../../src/identity/user-creation.ts';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { type App, openApp } from '../../support/app.ts';
import { notebook, PASSWORD, type Person, person, publish } from '../../support/people.ts';
import { signInWith } from '../../support/relying-party.ts';
import { ask, itemsOf, objectOf, tokenOf } from './callers.ts';

let app: App;

// 2026-11-30 16:00:00.999 UTC is the next day in UTC+8.
const EVENING = Date.UTC(2026, 10, 30, 16, 0, 0, 999);

before(async () => {
  app = await openApp();
  app.clock.now = EVENING;
});
after(() => app.close());

let members = 0;
function someone(bio = ''): Promise<Person> {
  members += 1;
  return person(app.portico, `alice${members}`, bio);
}

async function draft(author: Person, title: string): Promise<number> {
  const text = { title, body: 'Not yet.', categoryId: 1 };
  const writing = { authorId: author.id, text, status: 'draft' } as const;
  const post = await write(byServer(app.clock.read), app.portico.community, writing);
  if (!('id' in post)) throw new Error(JSON.stringify(post));
  return post.id;
}

async function titlesOf(author: Person): Promise<unknown[]> {
  const items = await itemsOf(await ask(app, '/me/posts', await tokenOf(app, author)));
  return items.map(({ title }) => title);
}

test('GET /me returns the profile with exactly the fields of the specification', async () => {
  const alice = await person(app.portico, 'alice', 'Reads more than she writes.');

  const answer = await ask(app, '/me', await tokenOf(app, alice));

  assert.deepEqual(await objectOf(answer), {
    id: alice.id,
    username: 'alice',
    avatarUrl: `${app.url}/avatars/${alice.id}.svg`,
    bio: 'Reads more than she writes.',
    member: false,
    level: 1,
    xp: 0,
    profileUrl: `${app.url}/u/alice`,
    createdAt: '2026-12-01T00:00:00',
  });
});

test('GET /me/posts returns a page envelope of post items with exactly the fields of the specification', async () => {
  const bob = await person(app.portico, 'bob');
  const id = await publish(
    app.portico,
    bob,
    'A walk at dawn',
    'The **harbour** was [asleep](https://a.example).',
  );

  const answer = await ask(app, '/me/posts', await tokenOf(app, bob));

  const { items, ...envelope } = await objectOf(answer);
  const [{ categoryName, ...item } = {}, ...others] = items as Record<string, unknown>[];
  assert.deepEqual(envelope, { page: 0, size: 20, totalElements: 1, totalPages: 1 });
  assert.deepEqual(others, []);
  assert.deepEqual(item, {
    id,
    title: 'A walk at dawn',
    excerpt: 'The harbour was asleep.',
    url: `${app.url}/posts/${id}`,
    createdAt: '2026-12-01T00:00:00',
    likeCount: 0,
    commentCount: 0,
    viewCount: 0,
  });
  const categories = await app.portico.community.reads.categories();
  assert.equal(categoryName, categories.find((category) => category.id === 1)?.name);
});

for (const path of ['', '/']) {
  test(`GET /api/open/v1${path} returns the service info with exactly the fields of the specification`, async () => {
    const token = await tokenOf(app, await someone(), ['posts:read']);

    const answer = await ask(app, path, token);

    assert.deepEqual(await objectOf(answer), {
      name: 'Portico API',
      version: 'v1',
      scopes: ['posts:read'],
      endpoints: [
        { method: 'GET', path: '/api/open/v1/me', scope: 'profile:read' },
        { method: 'GET', path: '/api/open/v1/me/posts', scope: 'posts:read' },
      ],
      docs: `${app.url}/docs`,
    });
  });
}

test('The service info has the name of the site', async (t) => {
  const named = await openApp({ SITE_NAME: '港湾 Harbour' });
  t.after(() => named.close());
  const token = await tokenOf(named, await person(named.portico, 'alice'));

  const info = await objectOf(await ask(named, '/', token));

  assert.equal(info.name, '港湾 Harbour API');
});

test('Scopes are those held by the presented token', async () => {
  const alice = await someone();
  const client = await notebook(app.portico);
  const { access_token } = await signInWith(app, client, alice.username, 'profile:read');

  const throughApp = await objectOf(await ask(app, '/', access_token));
  const personal = await objectOf(await ask(app, '/', await tokenOf(app, alice)));

  assert.deepEqual(throughApp.scopes, ['profile:read']);
  assert.deepEqual(personal.scopes, ['profile:read', 'posts:read']);
});

test('The profile never contains e-mail address, account status, two-step verification data or other private fields', async () => {
  const registration = { username: 'secretive', password: PASSWORD, email: 'hidden@private.example' };
  const result = await createUser(byServer(app.portico.clock), app.portico.identity, registration);
  assert.ok('id' in result);
  await publish(app.portico, result, 'A post');
  const token = await tokenOf(app, result);

  const answers = await Promise.all(['/', '/me', '/me/posts'].map((path) => ask(app, path, token)));
  const bodies = await Promise.all(answers.map((answer) => objectOf(answer)));

  const names = [...new Set(bodies.flatMap(namesIn))].sort();
  const fields =
    'avatarUrl bio categoryName commentCount createdAt docs endpoints excerpt id items level likeCount member ' +
    'method name page path profileUrl scope scopes size title totalElements totalPages url username version ' +
    'viewCount xp';
  assert.deepEqual(names, fields.split(' '));
  assert.doesNotMatch(JSON.stringify(bodies), /private\.example|active|argon2|null/);
});

test('bio is always present, and empty if there is none', async () => {
  const profile = await objectOf(await ask(app, '/me', await tokenOf(app, await someone())));

  assert.equal(profile.bio, '');
});

test('member is the current membership status', async () => {
  const alice = await someone();
  const token = await tokenOf(app, alice);
  const status = async () => (await objectOf(await ask(app, '/me', token))).member;

  const before = await status();
  await app.portico.identity.writes.setMemberUntil(
    byServer(app.portico.clock),
    alice.id,
    app.clock.now + HOUR,
  );
  const during = await status();
  app.clock.advance(HOUR);
  const later = await status();
  app.clock.now = EVENING;

  assert.deepEqual([before, during, later], [false, true, false]);
});

test('level and xp grow with published posts', async () => {
  const alice = await someone();
  for (const number of [1, 2, 3, 4, 5]) await publish(app.portico, alice, `Post ${number}`);

  const { level, xp } = await objectOf(await ask(app, '/me', await tokenOf(app, alice)));

  assert.deepEqual({ level, xp }, { level: 2, xp: 50 });
});

test('profileUrl is a valid URL even for a username outside ASCII', async () => {
  const member = await person(app.portico, '爱丽丝_1');

  const profile = await objectOf(await ask(app, '/me', await tokenOf(app, member)));

  assert.equal(profile.username, '爱丽丝_1');
  assert.equal(profile.profileUrl, `${app.url}/u/%E7%88%B1%E4%B8%BD%E4%B8%9D_1`);
});

test('excerpt is plain text of at most 200 characters, cut at a character boundary', async () => {
  const alice = await someone();
  await publish(app.portico, alice, 'Long', `# Heading\n\n${'👩‍🚀 far '.repeat(200)}`);

  const [item] = await itemsOf(await ask(app, '/me/posts', await tokenOf(app, alice)));

  const excerpt = item?.excerpt as string;
  assert.ok(excerpt.length <= 200 && excerpt.length > 180, `${excerpt.length}`);
  assert.match(excerpt, /^(?:👩‍🚀 far )+(?:👩‍🚀)?…$|^(?:👩‍🚀 far )*👩‍🚀 far…$/);
  assert.ok(excerpt.isWellFormed());
});

test('posts:read does not allow reading drafts, removed posts or those of other people', async () => {
  const alice = await someone();
  const mallory = await someone();
  await publish(app.portico, alice, 'Published');
  await draft(alice, 'Draft');
  const removed = await publish(app.portico, alice, 'Removed');
  await removePost(byMember(alice, app.clock.read), app.portico.community, removed);
  await publish(app.portico, mallory, "Mallory's");

  const token = await tokenOf(app, alice);
  const first = await objectOf(await ask(app, '/me/posts', token));
  // There is no way to name another member.
  const named = await objectOf(await ask(app, `/me/posts?userId=${mallory.id}&user=${mallory.id}`, token));

  assert.deepEqual(await titlesOf(alice), ['Published']);
  assert.equal(first.totalElements, 1);
  assert.deepEqual(named, first);
});

test('Posts come newest first, ties by id', async () => {
  const alice = await someone();
  const early = await draft(alice, 'Begun first, published last');
  app.clock.advance(DAY);
  await publish(app.portico, alice, 'First of two in one moment');
  await publish(app.portico, alice, 'Second of two in one moment');
  app.clock.advance(DAY);
  await publishDraft(byMember(alice, app.clock.read), app.portico.community, early);
  app.clock.now = EVENING;

  const titles = await titlesOf(alice);

  assert.deepEqual(titles, [
    'Begun first, published last',
    'Second of two in one moment',
    'First of two in one moment',
  ]);
});

test('createdAt of a post is when it was published, and editing does not change it', async () => {
  const alice = await someone();
  const id = await draft(alice, 'Slow');
  app.clock.advance(2 * DAY);
  await publishDraft(byMember(alice, app.clock.read), app.portico.community, id);
  app.clock.advance(DAY);
  const edit = { text: { title: 'Slow, better', body: 'Yes.', categoryId: 1 }, version: undefined };
  const post = { id, status: 'published' } as const;
  await save(byMember(alice, app.clock.read), app.portico.community, post, edit);
  app.clock.now = EVENING;

  const [item] = await itemsOf(await ask(app, '/me/posts', await tokenOf(app, alice)));

  assert.equal(item?.title, 'Slow, better');
  assert.equal(item?.createdAt, '2026-12-03T00:00:00');
});

for (const zone of ['America/New_York', 'Asia/Kathmandu', 'UTC', 'Asia/Shanghai']) {
  test(`Timestamps are local times without offset in the UTC+8 time zone, on a machine in ${zone}`, () => {
    const module = new URL('../../../src/lib/clock.ts', import.meta.url);
    const script = `import { localTimestamp } from '${module}';
      console.log(localTimestamp(${EVENING}), localTimestamp(0), localTimestamp(Date.UTC(2026, 2, 8, 7, 5, 9)));`;

    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TZ: zone },
      encoding: 'utf8',
    });

    assert.equal(output.trim(), '2026-12-01T00:00:00 1970-01-01T08:00:00 2026-03-08T15:05:09');
  });
}

test('The version is part of the path and is reported in the version field of GET /', async () => {
  const token = await tokenOf(app, await someone());

  const info = await objectOf(await ask(app, '/', token));
  const other = await fetch(`${app.url}/api/open/v2/me`, { headers: { Authorization: `Bearer ${token}` } });

  assert.equal(info.version, 'v1');
  assert.equal(other.status, 404);
});

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}
