// The consent page: who asks, where the member will be sent, what would be read, what would not, and for how long.

import { domainToUnicode } from 'node:url';
import { html } from 'hono/html';
import { publishedPostsOf } from '../../community/post.ts';
import type { User } from '../../identity/user.ts';
import type { ConsentQuestion } from '../../oauth/authorization.ts';
import type { AuthorizationRequest } from '../../oauth/authorization-request.ts';
import type { Client } from '../../oauth/client-store.ts';
import { subjectOf } from '../../oauth/id-token.ts';
import { isApiScope, type Scope } from '../../oauth/scope.ts';
import { ago } from '../pages/moments.ts';
import { formTokenField, type Html, page } from '../pages/page.ts';
import { loginPath } from '../pages/return-path.ts';
import { type ScopeWords, scopeWords } from '../pages/scope-words.ts';
import { formToken, isFormToken, type PageContext } from '../pages/visitor.ts';
import { postItem, profile } from '../representations.ts';
import { PATHS } from '../routes.ts';
import { formTargetsFor } from '../security-headers.ts';
import { type ConsentWords, consentWords } from './consent-words.ts';
import type { OAuthParts } from './oauth-parts.ts';

/** Ties the page to the request it is about: another request, or another browser, needs another seal. */
export const consentSeal = {
  of: (c: PageContext, query: string) => formToken(c, `consent\n${query}`),
  matches: (c: PageContext, query: string, seal: string) => isFormToken(c, seal, `consent\n${query}`),
};

export async function consentPage(
  parts: OAuthParts,
  c: PageContext,
  request: AuthorizationRequest,
  question: ConsentQuestion,
  query: string,
): Promise<Response> {
  const { visit, language } = c.get('visitor');
  if (visit === undefined) throw new Error('Only a signed-in member can be asked.');
  const { client, returnTo } = request;
  const t = consentWords[language];
  const signsInOnly = !request.scopes.some(isApiScope);
  const title = signsInOnly ? t.signInTitle(client.name) : t.title(client.name);
  const here = `${PATHS.authorize}?${query}`;
  return page(
    c,
    { title, formTargets: formTargetsFor(returnTo.redirectUri) },
    html`<form method="post" action="${PATHS.consent}">
${formTokenField(c)}<input type="hidden" name="request" value="${query}"><input type="hidden" name="seal" value="${consentSeal.of(c, query)}">
<div class="title">${clientMark(client)}<h1>${title}</h1></div>
${await reputation(parts, c, client, t)}
<section class="card"><div class="row spread"><div><span class="soft small">${t.sentTo}</span>${destination(returnTo.redirectUri, t)}</div>
<div class="small">${t.as} <strong>${visit.user.username}</strong> · <a href="${loginPath(here)}">${t.otherAccount}</a></div></div></section>
<section class="card"><h2>${question.heldScopes.length > 0 && question.newScopes.length > 0 ? t.asksAlso : t.asks}</h2>
${question.newScopes.length > 0 ? html`<ul class="tick">${question.newScopes.map((scope) => asked(scope, scopeWords[language]))}</ul>` : ''}
${question.heldScopes.length > 0 ? html`<h3>${t.held}</h3><ul class="held">${question.heldScopes.map((scope) => html`<li><strong>${scopeWords[language][scope].name}</strong> <span class="soft small">${scopeWords[language][scope].reads}</span></li>`)}</ul>` : ''}
<details><summary>${t.preview}</summary>${await preview(parts, request, visit.user, t)}</details></section>
<section class="card see"><div class="can"><h2>${t.can}</h2><ul><li>${signsInOnly ? t.canRecognise : t.canRead}</li><li>${t.untilRemoved} <a href="/settings/apps">${t.connectedApps}</a></li><li>${t.renews}</li></ul></div>
<div class="cannot"><h2>${t.cannot}</h2><ul>${t.cannotList.map((item) => html`<li>${item}</li>`)}</ul></div></section>
<div class="actions"><button name="decision" value="deny">${t.deny}</button><button class="primary" name="decision" value="allow">${t.allow}</button></div>
<p class="soft small">${t.noPassword(client.name)}</p>
</form>`,
  );
}

// The first letter of its name, in the community's own colours: an application can't look like another by a picture.
function clientMark(client: Client): Html {
  const [letter = ''] = client.name.trim();
  return html`<span class="client-mark" aria-hidden="true">${letter.toUpperCase()}</span>`;
}

// Age and reach are the cheapest signs of a trap: a look-alike is young and nobody uses it.
async function reputation(parts: OAuthParts, c: PageContext, client: Client, t: ConsentWords): Promise<Html> {
  const owner =
    client.ownerId === undefined ? undefined : await parts.identity.reads.findUser(client.ownerId);
  const members = await parts.oauth.reads.countGrants(client.id);
  const age = ago(client.createdAt, parts.oauth.clock(), c.get('visitor').language);
  const by =
    owner === undefined
      ? t.byOperators
      : html`${t.by} <a href="/u/${encodeURIComponent(owner.username)}">@${owner.username}</a>`;
  return html`<p class="soft">${by} · ${t.registered(age)} · ${t.members(members)}</p>`;
}

function destination(redirectUri: string, t: ConsentWords): Html {
  const url = new URL(redirectUri);
  if (url.host === '' || !url.protocol.startsWith('http')) {
    return html`<p class="host">${url.protocol}</p><p class="small soft">${t.onDevice}</p>`;
  }
  const readable = domainToUnicode(url.hostname);
  // A name in other letters can look like a known one: then both of its forms are shown.
  const both = readable !== url.hostname && readable !== '' && !url.hostname.startsWith('[');
  return html`<p class="host">${url.host}</p>${both ? html`<p class="small soft">${t.inLetters(readable)}</p>` : ''}`;
}

// Signing in can be denied, not unticked.
function asked(scope: Scope, words: Record<Scope, ScopeWords>): Html {
  if (isApiScope(scope)) return checkbox(scope, words);
  return html`<li class="fixed"><strong>${words[scope].name}</strong><br><span class="soft small">${words[scope].reads}</span></li>`;
}

function checkbox(scope: Scope, words: Record<Scope, ScopeWords>): Html {
  const id = `about-${scope.replace(':', '-')}`;
  const { name, reads } = words[scope];
  return html`<li><label><input type="checkbox" name="scope" value="${scope}" checked aria-describedby="${id}"><span><strong>${name}</strong><br><span class="soft small" id="${id}">${reads}</span></span></label></li>`;
}

// The very answers that the application would get, made by the code that makes them.
async function preview(
  parts: OAuthParts,
  request: AuthorizationRequest,
  user: User,
  t: ConsentWords,
): Promise<Html[]> {
  const examples: Html[] = [];
  if (request.scopes.includes('openid')) {
    const json = JSON.stringify({ sub: subjectOf(user.id) }, null, 2);
    examples.push(html`<h3 class="small">id_token</h3><pre tabindex="0">${json}</pre>`);
  }
  if (request.scopes.includes('profile:read')) {
    const json = JSON.stringify(profile(user, parts.site.baseUrl, parts.oauth.clock()), null, 2);
    examples.push(html`<h3 class="small">GET ${PATHS.api}/me</h3><pre tabindex="0">${json}</pre>`);
  }
  if (request.scopes.includes('posts:read')) {
    const { items, total } = await publishedPostsOf(parts.community, user.id, 0, 1);
    const json = items.map((post) => JSON.stringify(postItem(post, parts.site.baseUrl), null, 2));
    examples.push(html`<h3 class="small">GET ${PATHS.api}/me/posts</h3><p class="small soft">${t.posts(total)}</p>
${json.map((text) => html`<pre tabindex="0">${text}</pre>`)}`);
  }
  return examples;
}
