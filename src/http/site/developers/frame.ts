// The frame of the developer console: an application's name above the tabs of its pages. A new page needs a line in
// `TABS`, its words, and its lines in pages.ts.

import { html } from 'hono/html';
import { MOST_PICTURE_BYTES } from '../../../identity/avatar.ts';
import type { User } from '../../../identity/user.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { clientMark } from '../../pages/client-mark.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { member, memberForm, memberUpload } from '../../pages/guards.ts';
import { bilingual } from '../../pages/language.ts';
import { type Html, type PageOptions, page } from '../../pages/page.ts';
import { confirmPath } from '../../pages/return-path.ts';
import type { Upload, UploadProblem } from '../../pages/upload.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { isProven, proven } from '../proof.ts';
import type { SiteParts } from '../site-parts.ts';

export const CONSOLE_PATH = '/developers/apps';

/** The pattern of an application's page in the list of pages, and what follows it for each tab. */
export const APP_PATH = `${CONSOLE_PATH}/:client_id{app_[A-Za-z0-9]+}`;

const TABS = ['', '/requests', '/settings', '/secrets', '/events', '/code', '/try', '/status'] as const;

export type ConsoleTab = (typeof TABS)[number];

/** The path of an application's page. */
export function appPathOf({ id }: Pick<Client, 'id'>, tab: ConsoleTab | `/${string}` = ''): string {
  return `${CONSOLE_PATH}/${id}${tab}`;
}

/** Show a page of an application, with its tab marked. */
export function appPage(
  c: PageContext,
  client: Client,
  tab: ConsoleTab,
  options: Omit<PageOptions, 'title'>,
  content: Html,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const isOwner = client.ownerId === c.get('visitor').visit?.user.id;
  const tabs = TABS.map((each) => {
    const current = each === tab && html` aria-current="page"`;
    return html`<a href="${appPathOf(client, each)}"${current}>${t.tabs[each]}</a>`;
  });
  return page(
    c,
    { ...options, title: `${t.tabs[tab]} · ${client.name}` },
    html`
      <p class="eyebrow">${
        isOwner
          ? html`<a href="${CONSOLE_PATH}">${t.console}</a>`
          : html`<a href="/operator/applications">${t.allApplications}</a>`
      }</p>
      <div class="row spread">
        <div class="title">
          ${clientMark(client, client.logo)}
          <h1>${client.name}</h1>
        </div>
        ${statusBadge(c, client)}
      </div>
      ${!isOwner && html`<p class="notice">${t.ofNobody}</p>`}
      <nav class="tabs console" aria-label="${t.pages}">${tabs}</nav>
      ${content}`,
  );
}

/** Tell why an application doesn't work. Empty for an active one. */
export function statusBadge(c: PageContext, { status, deactivation, deleteAt }: Client): Html | '' {
  const t = words[c.get('visitor').language];
  if (deleteAt !== undefined) return html`<span class="badge warning">${t.toDelete}</span>`;
  if (status === 'active') return '';
  const text =
    deactivation === 'approval' ? t.waiting : deactivation === 'refused' ? t.refused : t.deactivated;
  return html`<span class="badge warning">${text}</span>`;
}

/** The name of the console, for headings and links to it. */
export function consoleTitle(c: PageContext): string {
  return words[c.get('visitor').language].console;
}

/**
 * The owner of the application in the path, or an operator if nobody owns it. Others get the page for an unknown
 * address.
 */
export async function appOwner(site: SiteParts, c: PageContext): Promise<[User, Client] | Response> {
  const facts = member(site, c);
  return facts instanceof Response ? facts : ownedBy(site, c, facts[0]);
}

/** The same, with a form that one of our pages gave to this session. Operators prove who they are. */
export async function appOwnerForm(
  site: SiteParts,
  c: PageContext,
): Promise<[User, Client, PostedForm] | Response> {
  const facts = await memberForm(site, c);
  if (facts instanceof Response) return facts;
  const [user, form] = facts;
  const owned = await ownedBy(site, c, user);
  if (owned instanceof Response) return owned;
  const isOwner = owned[1].ownerId === user.id;
  const proof = !isOwner && (await proven(site, c, [user, form]));
  return proof instanceof Response ? proof : [...owned, form];
}

const logoUpload = memberUpload('logo', MOST_PICTURE_BYTES);

/** The same, with a file. Operators choose it again after they have proved who they are. */
export async function appOwnerUpload(
  site: SiteParts,
  c: PageContext,
): Promise<[User, Client, Upload | UploadProblem] | Response> {
  const facts = await logoUpload(site, c);
  if (facts instanceof Response) return facts;
  const [user, upload] = facts;
  const owned = await ownedBy(site, c, user);
  if (owned instanceof Response) return owned;
  const [, client] = owned;
  const mustProve = client.ownerId !== user.id && !isProven(site, c);
  return mustProve ? c.redirect(confirmPath(appPathOf(client, '/settings')), 303) : [user, client, upload];
}

/** The same, after the owner has proved who they are. */
export async function provenOwnerForm(
  site: SiteParts,
  c: PageContext,
): Promise<[User, Client, PostedForm] | Response> {
  const facts = await appOwnerForm(site, c);
  if (facts instanceof Response) return facts;
  const [user, , form] = facts;
  const proof = await proven(site, c, [user, form]);
  return proof instanceof Response ? proof : facts;
}

async function ownedBy(site: SiteParts, c: PageContext, user: User): Promise<[User, Client] | Response> {
  const client = await site.oauth.reads.findClient(c.req.param('client_id') ?? '');
  if (client === undefined || client.deactivation === 'deleted') return notFoundPage(c);
  const isTheirs = client.ownerId === user.id || (user.isOperator && (await isOfNobody(site, client)));
  return isTheirs ? [user, client] : notFoundPage(c);
}

/**
 * Report whether operators look after an application: it never had an owner, or the account is closed. One that
 * describes itself is looked after where its document is.
 */
export async function isOfNobody(
  { identity }: SiteParts,
  { ownerId, documentUrl }: Client,
): Promise<boolean> {
  if (documentUrl !== undefined) return false;
  return ownerId === undefined || (await identity.reads.findUser(ownerId))?.status === 'closed';
}

const words = bilingual(
  {
    console: 'Your applications',
    pages: 'Pages of this application',
    tabs: {
      '': 'Overview',
      '/requests': 'Requests',
      '/settings': 'Settings',
      '/secrets': 'Secrets',
      '/events': 'Events',
      '/code': 'Code',
      '/try': 'Try it',
      '/status': 'Status',
    },
    allApplications: 'Applications',
    ofNobody: 'No member owns this application. You look after it as an operator.',
    refused: 'Not approved',
    waiting: 'Waiting for approval',
    deactivated: 'Deactivated',
    toDelete: 'To be deleted',
  },
  {
    console: '您的应用',
    pages: '此应用的页面',
    tabs: {
      '': '概览',
      '/requests': '请求',
      '/settings': '设置',
      '/secrets': '密钥',
      '/events': '事件',
      '/code': '代码',
      '/try': '试运行',
      '/status': '状态',
    },
    allApplications: '应用',
    ofNobody: '此应用没有所有者，您以管理员身份管理它。',
    refused: '未批准',
    waiting: '等待批准',
    deactivated: '已停用',
    toDelete: '即将删除',
  },
);
