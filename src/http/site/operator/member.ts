// A member, for operators: the account, and the questions before it is suspended, reactivated or closed.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import { type PostSummary, publishedPostsOf } from '../../../community/post.ts';
import { type AccountStatusProblem, setAccountStatus } from '../../../identity/account-status.ts';
import type { AccountStatus, User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { countOf, dayElement } from '../../pages/moments.ts';
import { idIn } from '../../pages/numbers.ts';
import type { Html } from '../../pages/page.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { memberPath } from '../lists/item.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { type HelpResult, helpCards, helpNotice, newLinkCard, signInFactsOf } from './member-help.ts';
import { manageMemberPath, stateBadges } from './members.ts';
import { membershipForm, type RefusedMembership } from './membership-form.ts';
import { operatorMenu, operatorPage } from './page.ts';

const POSTS_SHOWN = 5;

/** The changes that an operator can make, and the account's status after each. */
const CHANGES = { suspend: 'suspended', reactivate: 'active', close: 'closed' } as const satisfies Record<
  string,
  AccountStatus
>;
type Change = keyof typeof CHANGES;

/** Show the operators' page about a member. */
export async function manageMemberPage(site: SiteParts, c: PageContext, operator: User): Promise<Response> {
  const user = await site.identity.reads.findUser(idIn(c));
  return user === undefined ? notFoundPage(c) : pageOfMember(site, c, operator, user);
}

/** Ask before an account is suspended, reactivated or closed. */
export async function changeAccountPage(site: SiteParts, c: PageContext): Promise<Response> {
  const user = await site.identity.reads.findUser(idIn(c));
  return user === undefined ? notFoundPage(c) : pageOfQuestion(c, user, changeOf(c));
}

/** Suspend, reactivate or close an account, as the path says. */
export async function changeAccount(site: SiteParts, c: PageContext, operator: User): Promise<Response> {
  const user = await site.identity.reads.findUser(idIn(c));
  if (user === undefined) return notFoundPage(c);
  const change = changeOf(c);
  const by = byOperator(operator, site.clock);
  const problem = await setAccountStatus(by, site.identity, user, CHANGES[change]);
  if (problem !== undefined) return pageOfQuestion(c, user, change, problem);
  return c.redirect(`${manageMemberPath(user.id)}?done=${change}`, 303);
}

function changeOf(c: PageContext): Change {
  const change = c.req.param('change') ?? '';
  return isChange(change) ? change : 'suspend';
}

function isChange(name: string): name is Change {
  return Object.hasOwn(CHANGES, name);
}

/** Show the operators' page about a member, also after its membership form was refused. */
export async function pageOfMember(
  site: SiteParts,
  c: PageContext,
  operator: User,
  user: User,
  { membership, help = {} }: { membership?: RefusedMembership; help?: HelpResult } = {},
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const [ownClients, connectedClients, posts, signInFacts] = await Promise.all([
    site.oauth.reads.clientsOf(user.id),
    site.oauth.reads.connectedClients(user.id),
    publishedPostsOf(site.community, user.id, 0, POSTS_SHOWN),
    signInFactsOf(site.identity, user),
  ]);
  const applications = [
    ...ownClients.map(({ name }) => html`<li>${name} <span class="badge">${t.runs}</span></li>`),
    ...connectedClients.map(({ client }) => html`<li>${client.name}</li>`),
  ];
  const change = c.req.query('done') ?? '';
  const isRefused = membership !== undefined || (help.link === undefined && Object.keys(help).length > 0);
  return operatorPage(
    c,
    '/operator/members',
    { title: user.username, status: isRefused ? 400 : 200 },
    html`
      <p class="eyebrow"><a href="/operator/members">${t.members}</a></p>
      <h1>${user.username}</h1>
      ${notice(isChange(change) ? t.done[change] : undefined)}
      ${notice(c.req.query('saved') === undefined ? undefined : t.saved)}
      ${helpNotice(c)}
      ${help.link !== undefined && newLinkCard(c, help.link)}
      <section class="card">
        ${portrait(user, site.clock(), language)}
        ${facts(user, posts.total, language)}
        ${actions(c, operator, user)}
      </section>
      ${user.status !== 'closed' && helpCards(c, { operator, user }, signInFacts, help)}
      ${user.status !== 'closed' && membershipForm(c, user, membership)}
      ${listCard(t.applications, applications, language)}
      ${listCard(
        t.lastPosts,
        posts.items.map((post) => postItem(post, language)),
        language,
      )}`,
  );
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

function facts(user: User, postCount: number, language: Language): Html {
  const t = words[language];
  return html`
    <dl class="facts">
      <dt>${t.number}</dt>
      <dd>${user.id}</dd>
      <dt>${t.joined}</dt>
      <dd>${dayElement(user.createdAt, language)}</dd>
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

function postItem({ id, title, publishedAt, updatedAt }: PostSummary, language: Language): Html {
  const day = dayElement(publishedAt ?? updatedAt, language);
  return html`<li><a href="/posts/${id}">${title}</a> <span class="soft small">${day}</span></li>`;
}

function actions(c: PageContext, operator: User, user: User): Html | '' {
  const t = words[c.get('visitor').language];
  if (user.status === 'closed') return '';
  if (operator.id === user.id) return html`<p class="soft small">${t.problems.self}</p>`;
  const link = (change: Change) =>
    html`<a class="button" href="${manageMemberPath(user.id)}/${change}">${t.changes[change]}</a>`;
  return html`
    <div class="actions">
      ${link(user.status === 'suspended' ? 'reactivate' : 'suspend')}
      ${link('close')}
    </div>`;
}

function pageOfQuestion(
  c: PageContext,
  user: User,
  change: Change,
  problem?: AccountStatusProblem,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.questions[change](user.username),
    status: problem === undefined ? 200 : 409,
    menu: operatorMenu(c, '/operator/members'),
    problem: problem && t.problems[problem],
    consequences: t.consequences[change],
    action: `${manageMemberPath(user.id)}/${change}`,
    button: t.changes[change],
    isDangerous: change !== 'reactivate',
    back: { path: manageMemberPath(user.id), text: t.back },
  });
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
    back: 'Cancel',
    changes: { suspend: 'Suspend account', reactivate: 'Reactivate account', close: 'Close account' },
    done: {
      suspend: 'Account suspended. The member was signed out everywhere.',
      reactivate: 'Account reactivated. The member can sign in again.',
      close: 'Account closed. The member’s posts and comments were removed.',
    },
    questions: {
      suspend: (username: string) => `Suspend ${username}?`,
      reactivate: (username: string) => `Reactivate ${username}?`,
      close: (username: string) => `Close the account ${username}?`,
    },
    consequences: {
      suspend: [
        'The member is signed out everywhere at once and can’t sign in.',
        'Connected applications and API tokens stop working.',
        'Posts and comments stay. You can reactivate the account at any time.',
      ],
      reactivate: [
        'The member can sign in again. Connected applications and API tokens work again.',
        'Content that was removed in the meantime stays removed.',
      ],
      close: [
        'The member is signed out everywhere at once and can never sign in again.',
        'Posts, drafts and comments are removed. The picture, bio and email address are deleted.',
        'The username can’t be used again.',
        'This can’t be undone.',
      ],
    },
    problems: {
      self: 'This is your own account. You can close it in your settings, but only another operator can suspend it.',
      closed: 'This account is closed and can’t be reopened.',
      last_operator: 'This is the only operator. Make another member an operator first.',
    },
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
    back: '取消',
    changes: { suspend: '暂停账号', reactivate: '恢复账号', close: '关闭账号' },
    done: {
      suspend: '账号已暂停，该成员已在所有设备上退出。',
      reactivate: '账号已恢复，该成员可以重新登录。',
      close: '账号已关闭，其文章和评论已被移除。',
    },
    questions: {
      suspend: (username: string) => `暂停 ${username}？`,
      reactivate: (username: string) => `恢复 ${username}？`,
      close: (username: string) => `关闭 ${username} 的账号？`,
    },
    consequences: {
      suspend: [
        '该成员会立即在所有设备上退出，并且无法登录。',
        '已连接的应用和 API 令牌会停止工作。',
        '文章和评论保持不变。您可以随时恢复账号。',
      ],
      reactivate: ['该成员可以重新登录，已连接的应用和 API 令牌恢复可用。', '期间被移除的内容不会恢复。'],
      close: [
        '该成员会立即在所有设备上退出，并且再也无法登录。',
        '文章、草稿和评论会被移除；头像、简介和邮箱地址会被删除。',
        '用户名会一直保留，他人无法使用。',
        '此操作无法撤销。',
      ],
    },
    problems: {
      self: '这是您自己的账号。您可以在设置中关闭它，但只有其他管理员可以暂停它。',
      closed: '此账号已关闭，无法重新开启。',
      last_operator: '这是唯一的管理员，请先将另一位成员设为管理员。',
    },
  },
);
