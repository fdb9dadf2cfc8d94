// A member, for operators.

import { html } from 'hono/html';
import { type PostSummary, publishedPostsOf } from '../../../community/post.ts';
import type { RoleProblem } from '../../../identity/role.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { countOf, dayElement } from '../../pages/moments.ts';
import { idIn } from '../../pages/numbers.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { memberPath } from '../lists/item.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { CHANGE_NAMES, type Change, isChange } from './account-change.ts';
import { type HelpResult, helpCards, helpNotice, newLinkCard, signInFactsOf } from './member-help.ts';
import { manageMemberPath, stateBadges } from './members.ts';
import { membershipForm, type RefusedMembership } from './membership-form.ts';
import { operatorPage } from './page.ts';
import { roleForm } from './role-form.ts';

const POSTS_SHOWN = 5;

/** Show the operators' page about a member. */
export async function manageMemberPage(site: SiteParts, c: PageContext, operator: User): Promise<Response> {
  const user = await site.identity.reads.findUser(idIn(c));
  return user === undefined ? notFoundPage(c) : pageOfMember(site, c, operator, user);
}

/** Find the member in the path, unless the account is closed. */
export async function openAccountIn({ identity }: SiteParts, c: PageContext): Promise<User | undefined> {
  const user = await identity.reads.findUser(idIn(c));
  return user?.status === 'closed' ? undefined : user;
}

/** What the forms of the page answered. */
interface Refusals {
  membership?: RefusedMembership | undefined;
  roleProblem?: RoleProblem | undefined;
  help?: HelpResult;
}

/** Show the operators' page about a member, also after one of its forms was refused. */
export async function pageOfMember(
  site: SiteParts,
  c: PageContext,
  operator: User,
  user: User,
  { membership, roleProblem, help = {} }: Refusals = {},
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const [ownClients, connectedClients, posts, signInFacts] = await Promise.all([
    site.oauth.reads.clientsOf(user.id),
    site.oauth.reads.connectedClients(user.id, site.clock()),
    publishedPostsOf(site.community, user.id, 0, POSTS_SHOWN),
    signInFactsOf(site.identity, user),
  ]);
  const applications = [
    ...ownClients.map(({ name }) => html`<li>${name} <span class="badge">${t.runs}</span></li>`),
    ...connectedClients.map(({ client }) => html`<li>${client.name}</li>`),
  ];
  const change = c.req.query('done') ?? '';
  const saved = c.req.query('saved');
  const reason =
    user.status === 'suspended' ? await site.identity.reads.suspensionReason(user.id) : undefined;
  return operatorPage(
    c,
    '/operator/members',
    { title: user.username, status: statusOf({ membership, roleProblem, help }) },
    html`
      <p class="eyebrow"><a href="/operator/members">${t.members}</a></p>
      <h1>${user.username}</h1>
      ${notice(isChange(change) ? t.done[change] : undefined)}
      ${notice(saved === undefined ? undefined : saved === 'role' ? t.roleSaved : t.saved)}
      ${helpNotice(c)}
      ${help.link !== undefined && newLinkCard(c, help.link)}
      <section class="card">
        ${portrait(user, site.clock(), language)}
        ${reason !== undefined && html`<p>${t.suspendedBecause(reason)}</p>`}
        ${facts(user, posts.total, c.get('visitor'))}
        ${actions(c, operator, user)}
      </section>
      ${user.status !== 'closed' && helpCards(c, { operator, user }, signInFacts, help)}
      ${user.status !== 'closed' && roleForm(c, user, roleProblem)}
      ${user.status !== 'closed' && membershipForm(c, user, membership)}
      ${listCard(t.applications, applications, language)}
      ${listCard(
        t.lastPosts,
        posts.items.map((post) => postItem(post, c.get('visitor'))),
        language,
      )}`,
  );
}

function statusOf({ membership, roleProblem, help = {} }: Refusals): 200 | 400 | 409 {
  if (roleProblem !== undefined) return 409;
  const isHelpRefused = help.link === undefined && Object.keys(help).length > 0;
  return membership !== undefined || isHelpRefused ? 400 : 200;
}

function portrait(user: User, now: Timestamp, language: Language): Html {
  const t = words[language];
  const profile = html`<li><a href="${memberPath(user.username)}">${t.see}</a></li>`;
  return html`
    <div class="row">
      <img class="avatar" width="64" height="64" alt="" src="${avatarPath(user.id, user.avatar)}">
      <div>
        ${stateBadges(user, now, language)}
        <ul class="links">
          ${user.status !== 'closed' && profile}
          <li><a href="/operator/audit?subject=user:${user.id}">${t.audit}</a></li>
        </ul>
      </div>
    </div>`;
}

function facts(user: User, postCount: number, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  return html`
    <dl class="facts">
      <dt>${t.number}</dt>
      <dd>${user.id}</dd>
      <dt>${t.joined}</dt>
      <dd>${dayElement(user.createdAt, locale)}</dd>
      <dt>${t.points}</dt>
      <dd>${countOf(user.xp)}</dd>
      <dt>${t.posts}</dt>
      <dd>${countOf(postCount)}</dd>
    </dl>`;
}

function listCard(heading: string, items: readonly Html[], language: Language): Html {
  const list = html`<ul class="plain">${items}</ul>`;
  return html`
    <section class="card">
      <h2>${heading}</h2>
      ${items.length === 0 ? html`<p class="soft">${words[language].none}</p>` : list}
    </section>`;
}

function postItem({ id, title, publishedAt, updatedAt }: PostSummary, locale: Locale): Html {
  const day = dayElement(publishedAt ?? updatedAt, locale);
  return html`<li><a href="/posts/${id}">${title}</a> <span class="soft small">${day}</span></li>`;
}

function actions(c: PageContext, operator: User, user: User): Html | '' {
  const { language } = c.get('visitor');
  const t = words[language];
  if (user.status === 'closed') return '';
  if (operator.id === user.id) return html`<p class="soft small">${t.self}</p>`;
  const link = (change: Change) =>
    html`<a class="button" href="${manageMemberPath(user.id)}/${change}">${CHANGE_NAMES[language][change]}</a>`;
  return html`
    <div class="actions">
      ${link(user.status === 'suspended' ? 'reactivate' : 'suspend')}
      ${link('close')}
    </div>`;
}

const words = bilingual(
  {
    members: 'Members',
    see: 'View public profile',
    audit: 'View audit log',
    number: 'Member number',
    joined: 'Joined',
    points: 'Points',
    posts: 'Published posts',
    runs: 'Owner',
    applications: 'Applications',
    lastPosts: 'Latest posts',
    none: 'None.',
    saved: 'Membership saved.',
    roleSaved: 'Role saved.',
    suspendedBecause: (reason: string) => `Suspended because: ${reason}`,
    done: {
      suspend: 'Account suspended. The member was signed out everywhere.',
      reactivate: 'Account reactivated. The member can sign in again.',
      close: 'Account closed. The member’s posts and comments were removed.',
    },
    self: 'This is your own account. You can close it in your settings, but only another operator can suspend it.',
  },
  {
    members: '成员',
    see: '查看公开主页',
    audit: '查看审计日志',
    number: '成员编号',
    joined: '加入于',
    points: '经验值',
    posts: '已发布文章',
    runs: '所有者',
    applications: '应用',
    lastPosts: '最近的文章',
    none: '没有。',
    saved: '会员资格已保存。',
    roleSaved: '角色已保存。',
    suspendedBecause: (reason: string) => `暂停原因：${reason}`,
    done: {
      suspend: '账号已暂停，该成员已在所有设备上退出。',
      reactivate: '账号已恢复，该成员可以重新登录。',
      close: '账号已关闭，其文章和评论已被移除。',
    },
    self: '这是您自己的账号。您可以在设置中关闭它，但只有其他管理员可以暂停它。',
  },
);
