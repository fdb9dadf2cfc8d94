// The applications and logos that wait for operators, the longest waiting first, with what is needed to judge them.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import {
  approveClient,
  MOST_REASON_CHARACTERS,
  markOf,
  refuseClient,
  type WaitingClient,
} from '../../../oauth/client-review.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { clientMark } from '../../pages/client-mark.ts';
import { inputField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { imitationTexts } from '../../pages/imitation-words.ts';
import { bilingual } from '../../pages/language.ts';
import { agoElement, dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { scopeWords } from '../../pages/scope-words.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { documentFacts, noOwner } from './document-facts.ts';
import { manageMemberPath } from './members.ts';
import { operatorPage } from './page.ts';

const MENU_PATH = '/operator/applications';
/** The page with the list. */
export const WAITING_APPLICATIONS_PATH = `${MENU_PATH}?state=waiting`;
/** The path of its forms. */
export const REVIEW_PATH = `${MENU_PATH}/review`;
const MOST_SHOWN = 10;
const OUTCOMES = ['approved', 'refused', 'changed'] as const;

/** A reason that was not accepted, and the application that it was for. */
interface Mistake {
  clientId: string;
  reason: string;
}

/** Approve an application or a logo as the operator saw it, or refuse it with a reason. */
export async function reviewApplication(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const by = byOperator(operator, site.clock);
  const clientId = form.text('client_id');
  const seen = { clientId, mark: form.text('mark') };
  const reason = form.text(reasonField(clientId));
  const outcome =
    form.text('decision') === 'approve'
      ? await approveClient(by, site.oauth, seen)
      : await refuseClient(by, site.oauth, seen, reason);
  if (outcome === 'reason') return waitingApplicationsPage(site, c, { clientId, reason });
  return c.redirect(`${WAITING_APPLICATIONS_PATH}&done=${outcome}`, 303);
}

// Each form of the page has a field with a name of its own, since the name is the field's id.
function reasonField(clientId: string): string {
  return `reason-${clientId}`;
}

/** Show what waits. */
export async function waitingApplicationsPage(
  site: SiteParts,
  c: PageContext,
  mistake?: Mistake,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const queue = await site.oauth.reads.waitingClients(MOST_SHOWN);
  const outcome = OUTCOMES.find((name) => name === c.req.query('done'));
  const cards = await Promise.all(queue.map((waiting) => waitingCard(site, c, waiting, mistake)));
  return operatorPage(
    c,
    MENU_PATH,
    { title: t.title, status: mistake === undefined ? 200 : 400 },
    html`
      <h1>${t.title}</h1>
      <p class="soft">${t.explanation} <a href="${MENU_PATH}">${t.all}</a></p>
      ${notice(outcome && t.done[outcome])}
      ${cards}
      ${queue.length === 0 && html`<p class="empty">${t.nothing}</p>`}
      ${queue.length === MOST_SHOWN && html`<p class="soft">${t.more}</p>`}`,
  );
}

async function waitingCard(
  site: SiteParts,
  c: PageContext,
  { client, since }: WaitingClient,
  mistake: Mistake | undefined,
): Promise<Html> {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  const { name, logo } = client;
  return html`
    <section class="card">
      <p class="eyebrow">
        ${client.deactivation === 'approval' ? t.ofApplication : t.ofLogo} ·
        ${agoElement(since, site.clock(), visitor)}
      </p>
      <div class="title">${clientMark(client, logo)}<h2>${name}</h2></div>
      ${await applicationFacts(site, c, client)}
      ${decisionForm(c, client, mistake)}
    </section>`;
}

/** What an operator judges an application by. */
export async function applicationFacts(site: SiteParts, c: PageContext, client: Client): Promise<Html> {
  const { language } = c.get('visitor');
  const t = words[language];
  const { id, description, homePage, redirectUris, postLogoutRedirectUris: postLogout, kind } = client;
  return html`
      ${description !== '' && html`<p>${description}</p>`}
      ${await imitationNotice(site, c, client)}
      <dl class="facts">
        <dt>${t.owner}</dt>
        <dd>${await ownerFacts(site, c, client)}</dd>
        ${documentFacts(client, language)}
        <dt>${t.homePage}</dt>
        <dd>${
          homePage === undefined
            ? t.none
            : html`<a href="${homePage}" target="_blank" rel="nofollow noopener">${homePage}</a>`
        }</dd>
        <dt>${t.callbacks}</dt>
        <dd>${redirectUris.map((uri) => html`<code>${uri}</code><br>`)}</dd>
        ${postLogout.length > 0 && html`<dt>${t.postLogout}</dt>`}
        ${postLogout.length > 0 && html`<dd>${postLogout.map((uri) => html`<code>${uri}</code><br>`)}</dd>`}
        <dt>${t.kind}</dt>
        <dd>${t.kinds[kind]}</dd>
        <dt>${t.asks}</dt>
        <dd>${client.scopes.map((scope) => scopeFacts(c, client, scope))}</dd>
        <dt>${t.id}</dt>
        <dd><code>${id}</code></dd>
      </dl>`;
}

async function imitationNotice(site: SiteParts, c: PageContext, client: Client): Promise<Html | false> {
  const imitations = await imitationTexts(site, c, client, client.redirectUris);
  return (
    imitations.length > 0 &&
    html`
      <div class="notice wrong">
        <h3>${words[c.get('visitor').language].imitates}</h3>
        <ul>${imitations.map((text) => html`<li>${text}</li>`)}</ul>
      </div>`
  );
}

async function ownerFacts(
  { identity, oauth }: SiteParts,
  c: PageContext,
  { ownerId, documentUrl }: Client,
): Promise<Html | string> {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  if (documentUrl !== undefined) return noOwner(visitor.language);
  const owner = ownerId === undefined ? undefined : await identity.reads.findUser(ownerId);
  if (owner === undefined) return t.operators;
  const others = await oauth.reads.clientsOf(owner.id);
  return html`
    <a href="${manageMemberPath(owner.id)}">${owner.username}</a>
    <br><span class="soft small">
      ${t.joined} ${dayElement(owner.createdAt, visitor)} · ${t.applications(others.length)}
    </span>`;
}

function scopeFacts(c: PageContext, client: Client, scope: Client['scopes'][number]): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const reasons = Object.values(client.scopeReasons[scope] ?? {});
  return html`
    <span class="chip">${scope}</span> ${scopeWords[language][scope].name}
    ${client.requiredScopes.includes(scope) && html`<span class="soft small">(${t.required})</span>`}
    <br>${reasons.map((reason) => html`<span class="soft small">${reason}</span><br>`)}`;
}

// Refusing comes first, because the Enter key in the field of the reason presses the first button.
function decisionForm(c: PageContext, client: Client, mistake: Mistake | undefined): Html {
  const t = words[c.get('visitor').language];
  const { id, name } = client;
  const isApplication = client.deactivation === 'approval';
  const wrong = mistake?.clientId === id ? mistake : undefined;
  return html`
    <form method="post" action="${REVIEW_PATH}">
      ${formTokenField(c)}
      <input type="hidden" name="client_id" value="${id}">
      <input type="hidden" name="mark" value="${markOf(client)}">
      ${inputField({
        name: reasonField(id),
        label: t.reason,
        hint: isApplication ? t.hint : t.hintOfLogo,
        problem: wrong && t.wrongReason,
        value: wrong?.reason ?? '',
      })}
      <div class="actions">
        <button name="decision" value="refuse" aria-label="${isApplication ? t.refuse : t.refuseLogo}: ${name}">
          ${isApplication ? t.refuse : t.refuseLogo}
        </button>
        <button class="primary guarded" name="decision" value="approve"
          aria-label="${isApplication ? t.approve : t.approveLogo}: ${name}">
          ${isApplication ? t.approve : t.approveLogo}
        </button>
      </div>
    </form>`;
}

const words = bilingual(
  {
    title: 'Applications waiting for approval',
    explanation:
      'Applications wait if you approve each one, and logos always wait. Members see neither until you approve it.',
    all: 'Show all applications',
    nothing: 'No application waits for approval.',
    more: 'More will appear here once you’ve decided on these.',
    ofApplication: 'Application',
    ofLogo: 'New logo of an application that works',
    imitates: 'Signs of an imitation',
    owner: 'Owner',
    operators: 'Added by the operators',
    joined: 'Joined',
    applications: (count: number) => (count === 1 ? '1 application' : `${count} applications`),
    homePage: 'Home page',
    none: 'None',
    callbacks: 'Callback addresses',
    postLogout: 'Addresses after signing out',
    kind: 'Type',
    kinds: { confidential: 'Server app', public: 'Browser or native app' },
    asks: 'Asks for',
    required: 'members can’t refuse it',
    id: 'Client ID',
    reason: 'Reason, if you don’t approve it',
    hint: 'The owner is notified and reads it. They can change the application and ask again.',
    hintOfLogo: 'The owner is notified and reads it. The logo is removed; the application keeps working.',
    wrongReason: `Enter a reason of 1 to ${MOST_REASON_CHARACTERS} characters.`,
    refuse: 'Refuse application',
    approve: 'Approve application',
    refuseLogo: 'Remove logo',
    approveLogo: 'Approve logo',
    done: {
      approved: 'Approved. The owner was notified.',
      refused: 'Not approved. The owner was notified and can read your reason.',
      changed:
        'Nothing was done: it was changed since you opened the page, or doesn’t wait any more. Look at it again.',
    },
  },
  {
    title: '等待批准的应用',
    explanation: '设置为逐个批准时，新应用会在此等待；徽标总是需要批准。批准之前，成员都看不到。',
    all: '显示全部应用',
    nothing: '没有等待批准的应用。',
    more: '处理完这些后，会显示其余的应用。',
    ofApplication: '应用',
    ofLogo: '现有应用的新徽标',
    imitates: '仿冒的迹象',
    owner: '所有者',
    operators: '由管理员添加',
    joined: '加入于',
    applications: (count) => `${count} 个应用`,
    homePage: '主页',
    none: '无',
    callbacks: '回调地址',
    postLogout: '退出后返回的地址',
    kind: '类型',
    kinds: { confidential: '机密客户端', public: '公开客户端' },
    asks: '请求的内容',
    required: '成员不能拒绝',
    id: '客户端 ID',
    reason: '不批准的原因',
    hint: '所有者会收到通知并看到原因，可以修改后再次申请。',
    hintOfLogo: '所有者会收到通知并看到原因。徽标会被移除，应用仍可使用。',
    wrongReason: `请填写 1 到 ${MOST_REASON_CHARACTERS} 个字符的原因。`,
    refuse: '不批准应用',
    approve: '批准应用',
    refuseLogo: '移除徽标',
    approveLogo: '批准徽标',
    done: {
      approved: '已批准，所有者会收到通知。',
      refused: '未批准。所有者会收到通知，并能看到原因。',
      changed: '未做任何更改：内容在您打开页面后已被修改，或已不在等待批准。请重新查看。',
    },
  },
);
