// The authorization error page, for requests from an unknown application or with an unknown callback. It has
// no redirect.

import { html } from 'hono/html';
import { randomBase62 } from '../../lib/secrets.ts';
import type { Unreturnable } from '../../oauth/authorization-request.ts';
import { bilingual } from '../pages/language.ts';
import { type Html, page } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import { errorPage } from '../routes.ts';
import type { OAuthParts } from './oauth-parts.ts';

/**
 * Say what is wrong, without a link to the address in the request. The application's owner also sees the
 * difference.
 */
export function unreturnablePage(
  parts: OAuthParts,
  c: PageContext,
  problem: Unreturnable,
): Promise<Response> {
  const errorId = randomBase62(8);
  const { client, reason } = problem;
  parts.log.info({ errorId, reason, clientId: client?.id }, 'authorization request without a return address');
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const documentationPath = errorPage(parts.site.baseUrl, reason);
  const isOwner = visit !== undefined && client !== undefined && client.ownerId === visit.user.id;
  return page(
    c,
    { title: t.title, status: 400 },
    html`
      <h1>${t.title}</h1>
      <p>${t.reasons[reason]}</p>
      <p>${t.whatNow}</p>
      ${isOwner && difference(problem, t)}
      <p class="soft">${!isOwner && t.developer} <a href="${documentationPath}">${t.developerLink}</a></p>
      <p class="soft small">${t.errorId} <code>${errorId}</code></p>`,
  );
}

function difference({ client, redirectUri }: Unreturnable, t: (typeof words)['en']): Html {
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
    title: 'This sign-in link is not right',
    reasons: {
      client_missing: 'The link does not say which application sent you.',
      client_unknown: 'The application that sent you is not registered here, or it was deactivated.',
      redirect_uri_missing: 'The application did not say where to send you back to.',
      redirect_uri_unregistered:
        'The application asked to send you to an address that it has not registered here. To protect you, you are not sent there.',
    },
    whatNow:
      'Nothing was shared. Go back to where you came from, and if it happens again, tell the application’s makers.',
    developer: 'Are you the developer?',
    developerLink: 'What this means and how to mend it',
    errorId: 'Error id',
    ownerTitle: 'For you as the owner of this application',
    came: 'What came as redirect_uri',
    registered: 'What is registered',
    nothing: '(nothing)',
    exactly: 'The two must be the same, character by character, down to the slash at the end and the port.',
  },
  {
    title: '此登录链接有误',
    reasons: {
      client_missing: '链接没有说明是哪个应用让您来的。',
      client_unknown: '让您来的应用没有在本站注册，或已被停用。',
      redirect_uri_missing: '应用没有说明之后要把您送回哪里。',
      redirect_uri_unregistered: '应用要求把您送往一个未在本站登记的地址。为保护您，我们不会送您前往。',
    },
    whatNow: '没有共享任何内容。请返回原处；如果再次发生，请告知该应用的开发者。',
    developer: '您是开发者？',
    developerLink: '查看原因和解决办法',
    errorId: '错误编号',
    ownerTitle: '致应用所有者',
    came: '收到的 redirect_uri',
    registered: '已登记的地址',
    nothing: '（无）',
    exactly: '两者必须逐字符相同，包括末尾的斜杠和端口。',
  },
);
