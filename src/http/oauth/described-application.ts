// An authorization request of an application that describes itself: its document is read before the request is.

import { html } from 'hono/html';
import type { MemberDoer } from '../../audit/doer.ts';
import { isDocumentUrl } from '../../oauth/client-document.ts';
import type { DocumentProblem } from '../../oauth/client-documents.ts';
import type { Client } from '../../oauth/client-store.ts';
import type { OAuthError } from '../../oauth/errors.ts';
import { contactLine } from '../pages/contact.ts';
import { bilingual } from '../pages/language.ts';
import { page } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import { retryAfter, waitText } from '../pages/waiting.ts';
import { errorPage } from '../routes.ts';
import { logProblem } from './no-redirect-page.ts';
import type { OAuthParts } from './oauth-parts.ts';

/** Report whether a visitor must sign in before anything is read: only members can make the server fetch a document. */
export async function mustSignInFirst({ oauth }: OAuthParts, clientId: string | undefined): Promise<boolean> {
  return clientId !== undefined && isDocumentUrl(clientId) && (await oauth.documentPolicy()) !== 'off';
}

/** Read the document of an application, if it has one. Returns a page if it can't be used. */
export async function readDocumentFirst(
  parts: OAuthParts,
  c: PageContext,
  member: MemberDoer,
  clientId: string | undefined,
): Promise<Response | undefined> {
  if (clientId === undefined || !isDocumentUrl(clientId)) return undefined;
  const problem = await parts.documents.refresh(member, clientId);
  if (problem === undefined) return undefined;
  return problemPage(parts, c, URL.parse(clientId)?.hostname ?? '', problem);
}

/** Tell the member about an error that the application must not get. */
export function unansweredPage(
  parts: OAuthParts,
  c: PageContext,
  { name: host }: Client,
  { description: detail }: OAuthError,
): Promise<Response> {
  const text = words[c.get('visitor').language].unanswered(host);
  return pageOfProblem(parts, c, host, { reason: 'client_document_unanswered', text, detail });
}

function problemPage(
  parts: OAuthParts,
  c: PageContext,
  host: string,
  problem: DocumentProblem,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const reason = `client_document_${problem.problem}`;
  if (problem.problem !== 'too_many') {
    const detail = problem.problem === 'unusable' ? problem.detail : undefined;
    return pageOfProblem(parts, c, host, { reason, text: t.texts[problem.problem](host), detail });
  }
  retryAfter(c, problem.retryAfterSeconds);
  const text = t.tooMany(waitText(problem.retryAfterSeconds, language));
  return pageOfProblem(parts, c, host, { reason, text, status: 429 });
}

interface ShownProblem {
  /** For the log. */
  reason: string;
  text: string;
  /** For the developer. */
  detail?: string | undefined;
  status?: 400 | 429;
}

// Without a link to the application, and without a redirect: nothing is known of it.
async function pageOfProblem(
  parts: OAuthParts,
  c: PageContext,
  host: string,
  { reason, text, detail, status = 400 }: ShownProblem,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  await logProblem(parts, c, { reason, host, detail });
  return page(
    c,
    { title: t.title(host), status, isBare: true },
    html`
      <h1>${t.title(host)}</h1>
      <p>${text}</p>
      <p class="soft">${t.nothing}</p>
      ${detail !== undefined && html`<p class="notice" lang="en">${detail}</p>`}
      <p class="soft">
        ${t.developer}
        <a href="${errorPage(parts.site.baseUrl, 'client_document_unusable')}">${t.developerLink}</a>
      </p>
      ${contactLine(c)}`,
  );
}

const words = bilingual(
  {
    title: (host: string) => `${host || 'This application'} could not be connected`,
    texts: {
      unusable: (host: string) =>
        `${host || 'It'} isn’t registered here, and we can’t use the description that it gives of itself. Try again in a minute. If it happens again, tell its developers what is below.`,
      full: () =>
        'This community has as many applications of this kind as it can have. Tell the operators about it.',
      refused: (host: string) => `The operators of this community deactivated ${host}.`,
    },
    unanswered: (host: string) =>
      `${host} asked in a way that we can’t answer. If it happens again, tell its developers what is below.`,
    tooMany: (wait: string) =>
      `Too many applications that are not registered here were connected. Try again in ${wait}.`,
    nothing: 'Nothing was shared.',
    developer: 'Are you the developer?',
    developerLink: 'What this means and how to fix it',
  },
  {
    title: (host) => `无法连接 ${host || '该应用'}`,
    texts: {
      unusable: (host) =>
        `${host || '该应用'} 没有在本站注册，它提供的自我说明也无法使用。请一分钟后重试；如果再次发生，请把下面的内容告知其开发者。`,
      full: () => '本社区的此类应用数量已达上限，请告知管理员。',
      refused: (host) => `社区管理员已停用 ${host}。`,
    },
    unanswered: (host) => `${host} 的请求方式无法处理。如果再次发生，请把下面的内容告知其开发者。`,
    tooMany: (wait) => `连接的未注册应用过多，请在 ${wait}后再试。`,
    nothing: '没有共享任何内容。',
    developer: '您是开发者？',
    developerLink: '查看原因和解决办法',
  },
);
