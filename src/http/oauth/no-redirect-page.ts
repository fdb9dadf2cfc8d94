// The authorization error page, for an unknown application or callback. It has no redirect.

import { html } from 'hono/html';
import { wholeNetworkOf } from '../../lib/network.ts';
import { randomBase62 } from '../../lib/secrets.ts';
import type { NoRedirect } from '../../oauth/authorization-request.ts';
import { contactLine } from '../pages/contact.ts';
import { bilingual } from '../pages/language.ts';
import { type Html, page } from '../pages/page.ts';
import { trialCallback } from '../pages/trial.ts';
import type { PageContext } from '../pages/visitor.ts';
import { errorPage, requestsPath, trialPath } from '../routes.ts';
import { noteNoRedirect } from './inspected-authorization.ts';
import type { OAuthParts } from './oauth-parts.ts';

// From one caller in a minute, because anyone can cause them.
const MOST_LOG_LINES = 10;

/** Say what is wrong, without a link to the requested address. The owner also sees the registered ones. */
export async function noRedirectPage(
  parts: OAuthParts,
  c: PageContext,
  problem: NoRedirect,
): Promise<Response> {
  const { client, reason } = problem;
  const lineId = noteNoRedirect(parts, c, problem);
  const errorId = lineId ?? randomBase62(8);
  await logProblem(parts, c, { errorId, reason, clientId: client?.id });
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const documentationPath = errorPage(parts.site.baseUrl, reason);
  const isOwner = visit !== undefined && client !== undefined && client.ownerId === visit.user.id;
  return page(
    c,
    { title: t.title, status: 400, isBare: true },
    html`
      <h1>${t.title}</h1>
      <p>${reasonText(problem, t)}</p>
      <p>${t.whatNow(client?.name ?? t.anApplication)}</p>
      ${isOwner && (isOfTrial(c, problem) ? trialLink(client.id, t) : comparison(problem, t))}
      <p class="soft">
        ${!isOwner && t.developer} <a href="${documentationPath}">${t.developerLink}</a>
        ${lineId !== undefined && html`· <a href="${requestsPath(client?.id ?? '', lineId)}">${t.inspect}</a>`}
      </p>
      <p class="soft small">${t.errorId} <code>${errorId}</code></p>
      ${contactLine(c)}`,
  );
}

function reasonText({ client, reason }: NoRedirect, t: (typeof words)['en']): string {
  if (client !== undefined && reason === 'client_unknown') {
    return client.deactivation === 'approval' ? t.waiting(client.name) : t.deactivated(client.name);
  }
  return t.reasons[reason](client?.name ?? t.theApplication);
}

/** Log why a request ends on a page, unless the caller caused many such lines. */
export async function logProblem(
  { counter, log, clientAddress }: OAuthParts,
  c: PageContext,
  facts: object,
): Promise<void> {
  const address = clientAddress(c);
  const { allowed } = await counter.hit(`no-redirect:${wholeNetworkOf(address)}`, MOST_LOG_LINES, 60);
  if (allowed) log.info(facts, "authorization request that can't be answered with a redirect");
}

function isOfTrial(c: PageContext, { client, redirectUri }: NoRedirect): boolean {
  return client !== undefined && redirectUri === trialCallback(c, client);
}

function trialLink(clientId: string, t: (typeof words)['en']): Html {
  return html`<p class="notice">${t.trialOver} <a href="${trialPath(clientId)}">${t.tryAgain}</a></p>`;
}

function comparison({ client, redirectUri }: NoRedirect, t: (typeof words)['en']): Html {
  const registeredUris = client?.redirectUris ?? [];
  return html`
    <section class="card">
      <h2>${t.ownerTitle}</h2>
      <h3>${t.came}</h3>
      <pre>${redirectUri ?? t.nothing}</pre>
      <h3>${t.registered}</h3>
      ${registeredUris.map((uri) => html`<pre>${uri}</pre>`)}
      <p class="small soft">${t.exactly}</p>
    </section>`;
}

const words = bilingual(
  {
    title: 'This sign-in link is not valid',
    reasons: {
      client_missing: () => 'The link doesn’t say which application it belongs to.',
      client_unknown: () => 'The application is not registered here.',
      redirect_uri_missing: (name: string) => `${name} didn’t say where to send you after you sign in.`,
      redirect_uri_unregistered: (name: string) =>
        `${name} asked us to send you to an address that is not registered for it. To protect you, we don’t send you there.`,
    },
    deactivated: (name: string) => `The operators of this community deactivated ${name}.`,
    waiting: (name: string) => `The operators of this community have not approved ${name} yet.`,
    theApplication: 'The application',
    anApplication: 'the application',
    whatNow: (name: string) =>
      `Nothing was shared. Go back to ${name} and try again. If it happens again, tell its developers, and give them the error id below.`,
    developer: 'Are you the developer?',
    developerLink: 'What this means and how to fix it',
    inspect: 'I am the developer: show this request',
    errorId: 'Error id',
    trialOver:
      'This address belonged to a trial of your application. It was valid for half an hour, in one browser.',
    tryAgain: 'Start a new trial',
    ownerTitle: 'For you as the owner of this application',
    came: 'The redirect_uri in the link',
    registered: 'The registered addresses',
    nothing: '(none)',
    exactly:
      'The address must match a registered one character by character, including the port and a slash at the end.',
  },
  {
    title: '此登录链接无效',
    reasons: {
      client_missing: () => '链接没有说明来自哪个应用。',
      client_unknown: () => '该应用没有在本站注册。',
      redirect_uri_missing: (name) => `${name} 没有说明登录后返回的地址。`,
      redirect_uri_unregistered: (name) =>
        `${name} 要求跳转到一个没有为它登记的地址。为保护您，我们不会跳转。`,
    },
    deactivated: (name) => `社区管理员已停用 ${name}。`,
    waiting: (name) => `社区管理员尚未批准 ${name}。`,
    theApplication: '该应用',
    anApplication: '该应用',
    whatNow: (name) =>
      `没有共享任何内容。请返回 ${name} 重试；如果再次发生，请告知应用的开发者，并附上下面的错误编号。`,
    developer: '您是开发者？',
    developerLink: '查看原因和解决办法',
    inspect: '我是开发者：查看此请求',
    errorId: '错误编号',
    trialOver: '此地址属于您对应用的一次试运行，仅在一个浏览器中有效，为时半小时。',
    tryAgain: '重新试运行',
    ownerTitle: '致应用所有者',
    came: '链接中的 redirect_uri',
    registered: '已登记的地址',
    nothing: '（无）',
    exactly: '链接中的地址必须与已登记的地址逐字符相同，包括端口和末尾的斜杠。',
  },
);
