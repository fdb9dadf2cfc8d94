// A community in which every page has content, and a tour of all its pages.

import { byMember, byOperator, byServer } from '../../src/audit/doer.ts';
import { addBookmark } from '../../src/community/bookmark.ts';
import { describeCategory } from '../../src/community/category.ts';
import { comment, reply } from '../../src/community/comment.ts';
import { follow } from '../../src/community/following.ts';
import { likePost } from '../../src/community/like.ts';
import { removeContent } from '../../src/community/moderation.ts';
import { removePost } from '../../src/community/post.ts';
import { report } from '../../src/community/report.ts';
import { write } from '../../src/community/writing.ts';
import type { Portico } from '../../src/compose.ts';
import { postPath, tagPath } from '../../src/http/pages/post-path.ts';
import { SITE_PAGES } from '../../src/http/site/pages.ts';
import { invitationPath, invite } from '../../src/identity/invitation.ts';
import { renameUser } from '../../src/identity/renaming.ts';
import { reportClient } from '../../src/oauth/client-report.ts';
import { registerOwnClient } from '../../src/oauth/own-client.ts';
import { createPersonalToken } from '../../src/oauth/personal-token.ts';
import { TEXT_NAMES } from '../../src/site/text-names.ts';
import { writeDiary } from './noted-requests.ts';
import { notebook, person, pocket, publish } from './people.ts';
import { authorizationRequest } from './relying-party.ts';
import { addSignIn } from './seeding.ts';

/** A text for every place where members, operators and developers can write. */
export interface Texts {
  bio: string;
  title: string;
  body: string;
  comment: string;
  /** The note of a report, and of an invitation. */
  note: string;
  category: string;
  application: string;
  token: string;
  query: string;
}

const PLAIN_TEXTS: Texts = {
  bio: 'Bakes bread, repairs bicycles. 每天走路。',
  title: 'On bread and bicycles 面包与自行车',
  body: '# Rye\n\nTwo days of *patience*.\n\n> Slowly.\n\n- flour\n- water\n\n```\nbake(230)\n```\n\n| hour | what |\n|---|---|\n| 1 | knead |\n\n一二三，上山打老虎。\n\n- [x] rest\n- [ ] bake with @bob[^1]\n\n```js\n// Dark.\nconst loaf = new Loaf("rye", 45).bake();\n```\n\n```diff\n- 30\n+ 45\n```\n\n```html\n<b class="x">&amp;</b>\n```\n\n[^1]: Soon.',
  comment: 'That **smells** good. [More](https://example.org), @alice[^1]\n\n[^1]: Really.',
  note: 'Look at this, please.',
  category: 'Crafts',
  application: 'Notebook',
  token: 'backup script',
  query: 'bread',
};

const TAG = '面包';

/** Who visits a page; `nobody` is a visitor without an account. */
export type Who = 'nobody' | 'alice' | 'bob' | 'olivia';

export interface PageVisit {
  who: Who;
  path: string;
}

/**
 * Fill a community: olivia is its operator, alice writes, bob reads and replies. Returns the pages to visit, each at
 * least once as the member to whom it shows the most.
 */
export async function seedEveryPage(portico: Portico, texts: Texts = PLAIN_TEXTS): Promise<PageVisit[]> {
  const { community, identity, oauth, clock } = portico;
  const olivia = await person(portico, 'olivia');
  const [alice, bob] = [await person(portico, 'alice', texts.bio), await person(portico, 'bob')];
  await identity.writes.setRole(byServer(clock), olivia.id, 'operator');
  const [byAlice, byBob] = [byMember(alice, clock), byMember(bob, clock)];
  const category = await community.writes.ensureCategory(byServer(clock), 'crafts', texts.category, 100);
  const text = { title: texts.title, body: texts.body, categoryId: category?.id ?? 0, tags: TAG };
  const post = await publish(portico, alice, texts.title, texts.body);
  const others = await Promise.all(
    Array.from({ length: 4 }, (_, n) => publish(portico, alice, `${texts.title} ${n}`, texts.body)),
  );
  await removePost(byAlice, community, others[0] ?? 0);
  await write(byAlice, community, { authorId: alice.id, text, status: 'published' });
  const draft = idOf(await write(byAlice, community, { authorId: alice.id, text, status: 'draft' }));
  await follow(byAlice, community, { memberId: bob.id });
  await follow(byAlice, community, { tagId: (await community.reads.findTag(TAG))?.id ?? 0 });
  await addBookmark(byAlice, community, post);
  const commentId = idOf(await comment(byBob, community, post, texts.comment));
  const own = idOf(await reply(byAlice, community, commentId, texts.comment));
  await likePost(byBob, community, post);
  for (const [by, subject] of [
    [byBob, { postId: post }],
    [byAlice, { commentId }],
  ] as [typeof byBob, { postId: number } | { commentId: number }][]) {
    const reportable = await community.reads.findReportable(subject);
    if (reportable === undefined) throw new Error('There is nothing to report.');
    await report(by, community, reportable, { reason: 'spam', note: texts.note });
  }
  const client = await notebook(portico, { name: texts.application, ownerId: alice.id });
  await reportClient(byBob, oauth, identity, client.id, { reason: 'imitation', note: texts.note });
  const { redirectUri } = client;
  const waiting = { name: texts.application, kind: 'public', redirectUris: [redirectUri] } as const;
  const introduction = { description: texts.note, scopeReasons: { openid: { en: texts.note } } };
  await registerOwnClient(byBob, oauth, { ...waiting, introduction, key: undefined, mustWait: true });
  const removed = await publish(portico, bob, texts.title, texts.body);
  await removeContent(
    byOperator(olivia, clock),
    community,
    { postId: removed, commentId: undefined },
    texts.note,
  );
  await describeCategory(byOperator(olivia, clock), community, 'crafts', texts.note);
  const invitation = await invite(byOperator(olivia, portico.clock), identity, { note: texts.note });
  if ('problem' in invitation) throw new Error(invitation.problem);
  await giveEarlierName(portico, alice.id);
  const unknown = await pocket(portico, { name: texts.application });
  await addSignIn(portico, client, alice.id);
  const token = idOf(
    await createPersonalToken(byServer(oauth.clock), oauth, {
      userId: alice.id,
      name: texts.token,
      scopes: ['profile:read'],
      days: 30,
    }),
  );

  await writeDiary(portico, alice.id, client.id);
  const written = { en: texts.body, zh: '' };
  for (const name of TEXT_NAMES) await portico.site.writes.saveTexts(byServer(clock), name, written);

  const titledPath = postPath({ id: post, title: texts.title, status: 'published' });
  const as = (who: Who, ...paths: string[]): PageVisit[] => paths.map((path) => ({ who, path }));
  const query = new URLSearchParams({ q: texts.query });
  const request = authorizationRequest(unknown, {
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  return [
    ...as(
      'nobody',
      '/',
      '/popular',
      '/categories',
      '/categories/crafts',
      '/tags',
      tagPath(TAG),
      `/search?${query}`,
      '/?language=en',
      '/categories/crafts/popular',
      `${tagPath(TAG)}/popular?language=en`,
      `/search?${query}&tag=${encodeURIComponent(TAG)}`,
      `/search?${query}&author=alice&category=crafts&sort=popular`,
      '/search?q=alice',
      '/search',
    ),
    ...as(
      'nobody',
      `/posts/${post}`,
      titledPath,
      '/u/alice',
      '/u/nobody-here',
      '/login',
      '/login/verify',
      '/signup',
      '/forgot-password',
    ),
    ...as('nobody', invitationPath(invitation.text), '/forgot-password/sent', '/reset-password?token=none'),
    ...as(
      'nobody',
      '/reset-password/done',
      '/email/confirm?token=none',
      '/email/confirm/done',
      '/email/undo?token=none',
      '/second-factor/keep?token=none',
      '/not-me?token=none',
      '/unsubscribe?token=none',
      '/setup?token=none',
    ),
    ...as('nobody', '/rules', '/about', '/privacy', '/terms', '/credentials/revoke'),
    ...as(
      'nobody',
      '/help',
      '/keys',
      '/docs',
      '/docs/api',
      '/docs/errors',
      '/docs/errors/invalid_grant',
      '/docs/search?q=token',
      '/docs/reference',
      '/docs/quick-start-server',
      '/status',
    ),
    ...as(
      'nobody',
      `/oauth/authorize?${new URLSearchParams({ client_id: 'none' })}`,
      `/comments/${commentId}/replies`,
    ),
    ...as(
      'alice',
      '/',
      `/posts/${post}`,
      `/posts/${draft}`,
      '/u/alice',
      '/u/bob',
      tagPath(TAG),
      '/following',
      '/bookmarks',
      '/settings/following',
      '/write',
      '/drafts',
      '/posts/removed',
    ),
    ...as('alice', `/posts/${post}/edit`, `/posts/${draft}/edit`, `/posts/${post}/remove`, '/notifications'),
    ...as('alice', `/comments/${own}/edit`, `/comments/${own}/remove`, `/comments/${commentId}/reply`),
    ...as(
      'alice',
      '/settings/profile',
      '/settings/mails',
      '/settings/security',
      '/settings/security/access',
      '/settings/account',
      '/settings/account/data',
      '/settings/account/close',
    ),
    ...as('alice', '/settings/security/confirm', '/settings/security/app', '/settings/security/app/remove'),
    // This site has an IP address, and so no passkeys.
    ...as('alice', '/settings/security/passkeys', '/settings/security/passkeys/1'),
    ...as('alice', '/settings/tokens', '/settings/tokens/new', `/settings/tokens/${token}/revoke`),
    ...as(
      'alice',
      '/settings/tokens/revoke-all',
      ...['edit', 'regenerate'].map((act) => `/settings/tokens/${token}/${act}`),
    ),
    ...as('alice', '/settings/browsers', '/settings/browsers/sign-out', '/settings/security-log'),
    ...as('alice', '/developers/apps', '/developers/apps/new', `/developers/apps/${client.id}`),
    ...as(
      'alice',
      ...['settings', 'secrets', 'events', 'code', 'try', 'try/return', 'status'].map(
        (tab) => `/developers/apps/${client.id}/${tab}`,
      ),
    ),
    ...as('alice', '/settings/diary', `/settings/diary?application=${client.id}`),
    ...as('alice', '/settings/apps', `/settings/apps/${client.id}`, `/settings/apps/${client.id}/remove`),
    ...as(
      'alice',
      `/oauth/authorize?${request}`,
      `/report?comment=${commentId}`,
      '/report/thanks',
      `/report/application?client_id=${client.id}`,
      '/oauth/logout',
    ),
    ...as('bob', `/posts/${post}`, '/notifications', '/drafts', '/settings/apps', `/report?post=${post}`),
    ...as('alice', `/developers/apps/${client.id}/requests`),
    ...as('olivia', '/operator', '/operator/reports', '/operator/members', `/operator/members/${alice.id}`),
    ...as('olivia', ...['suspend', 'close'].map((change) => `/operator/members/${alice.id}/${change}`)),
    ...as(
      'olivia',
      '/operator/removed',
      `/operator/posts/${post}/remove`,
      `/operator/comments/${own}/remove`,
    ),
    ...as('olivia', `/posts/${post}`, `/posts/${removed}`),
    ...as('alice', '/renamed?return_to=%2Fdrafts'),
    ...as('olivia', `/operator/members/${alice.id}/sign-out`),
    ...as('olivia', '/operator/applications', `/operator/applications/${client.id}/deactivate`),
    ...as('olivia', '/operator/applications?state=waiting', `/developers/apps/${unknown.id}`),
    ...as('olivia', '/operator/settings', '/operator/texts', '/operator/texts/rules'),
    ...as('olivia', '/operator/categories', '/operator/invitations', '/operator/audit', '/operator/security'),
    ...as('olivia', '/operator/tags', `/operator/tags/${encodeURIComponent(TAG)}`, '/operator/tags?name=x'),
    ...as('olivia', '/operator/mails', '/operator/server'),
    ...as('olivia', '/operator/waiting', '/operator/guests'),
  ];
}

/** Return the path patterns of all pages, or of all forms, from the site's own list. */
export function pagePatterns(kind: 'page' | 'form'): string[] {
  return SITE_PAGES.filter((page) => page.kind === kind).map(({ path }) => path);
}

/** Return an expression that matches the paths of a pattern such as `/posts/:id/edit`. */
export function pathsOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/:\w+(\{.*?\}(?=\/|$))?/g, '[^/]+')}$`);
}

// Renamed and renamed back, so that the member has an earlier name.
async function giveEarlierName({ identity, clock }: Portico, userId: number): Promise<void> {
  for (const to of ['alice_1', 'alice']) {
    const user = await identity.reads.findUser(userId);
    if (user !== undefined) await renameUser(byServer(clock), identity, user, { to, language: 'en' });
  }
  await identity.writes.markRenameTold(userId, clock());
}

function idOf(result: { id: number } | object | undefined): number {
  if (result === undefined || !('id' in result)) throw new Error(JSON.stringify(result));
  return result.id;
}
