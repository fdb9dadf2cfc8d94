// The consent page: the application, its callback host, and what it could read and for how long.

import { domainToUnicode } from 'node:url';
import { html } from 'hono/html';
import { publishedPostsOf } from '../../community/post.ts';
import type { User } from '../../identity/user.ts';
import type { ConsentQuestion } from '../../oauth/authorization.ts';
import type { AuthorizationRequest } from '../../oauth/authorization-request.ts';
import type { Client } from '../../oauth/client-store.ts';
import { subjectOf } from '../../oauth/id-token.ts';
import { isApiScope, type Scope, type ScopeSet } from '../../oauth/scope.ts';
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

/** Ties a page to its request and to the browser: another request, or another browser, needs another seal. */
export const consentSeal = {
  of: (c: PageContext, query: string) => formToken(c, `consent\n${query}`),
  matches: (c: PageContext, query: string, seal: string) => isFormToken(c, seal, `consent\n${query}`),
};

/** Ask the member to allow or deny the request. */
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
  return page(
    c,
    { title, formTargets: formTargetsFor(returnTo.redirectUri) },
    html`
      <form method="post" action="${PATHS.consent}">
        ${formTokenField(c)}
        <input type="hidden" name="request" value="${query}">
        <input type="hidden" name="seal" value="${consentSeal.of(c, query)}">
        <div class="title">
          ${clientMark(client)}
          <h1>${title}</h1>
        </div>
        ${await reputation(parts, c, client, t)}
        ${destinationCard(returnTo.redirectUri, visit.user, query, t)}
        ${scopeCard(question, scopeWords[language], await preview(parts, request, visit.user, t), t)}
        ${limitsCard(signsInOnly, t)}
        <div class="actions">
          <button name="decision" value="deny">${t.deny}</button>
          <button class="primary" name="decision" value="allow">${t.allow}</button>
        </div>
        <p class="soft small">${t.noPassword(client.name)}</p>
      </form>`,
  );
}

// The first letter of the name, in the community's colours: a picture could imitate another application.
function clientMark(client: Client): Html {
  const [letter = ''] = client.name.trim();
  return html`<span class="client-mark" aria-hidden="true">${letter.toUpperCase()}</span>`;
}

// Age and number of users help to spot a fake: a look-alike application is new and has no users.
async function reputation(parts: OAuthParts, c: PageContext, client: Client, t: ConsentWords): Promise<Html> {
  const owner =
    client.ownerId === undefined ? undefined : await parts.identity.reads.findUser(client.ownerId);
  const members = await parts.oauth.reads.countGrants(client.id, parts.oauth.clock());
  const age = ago(client.createdAt, parts.oauth.clock(), c.get('visitor').language);
  const by =
    owner === undefined
      ? t.byOperators
      : html`${t.by} <a href="/u/${encodeURIComponent(owner.username)}">@${owner.username}</a>`;
  return html`<p class="soft">${by} · ${t.registered(age)} · ${t.members(members)}</p>`;
}

function destinationCard(redirectUri: string, user: User, query: string, t: ConsentWords): Html {
  const switchPath = loginPath(`${PATHS.authorize}?${query}`);
  return html`
    <section class="card">
      <div class="row spread">
        <div>
          <span class="soft small">${t.sentTo}</span>
          ${destination(redirectUri, t)}
        </div>
        <div class="small">
          ${t.as} <strong>${user.username}</strong> · <a href="${switchPath}">${t.otherAccount}</a>
        </div>
      </div>
    </section>`;
}

function destination(redirectUri: string, t: ConsentWords): Html {
  const url = new URL(redirectUri);
  if (url.host === '' || !url.protocol.startsWith('http')) {
    return html`
      <p class="host">${url.protocol}</p>
      <p class="small soft">${t.onDevice}</p>`;
  }
  const readable = domainToUnicode(url.hostname);
  // A host name in another script can look like a well-known one, so both of its forms are shown.
  const hasTwoForms = readable !== url.hostname && readable !== '' && !url.hostname.startsWith('[');
  return html`
    <p class="host">${url.host}</p>
    ${hasTwoForms && html`<p class="small soft">${t.inLetters(readable)}</p>`}`;
}

type AllScopeWords = Record<Scope, ScopeWords>;

function scopeCard(question: ConsentQuestion, words: AllScopeWords, examples: Html[], t: ConsentWords): Html {
  const { newScopes, heldScopes } = question;
  return html`
    <section class="card">
      <h2>${heldScopes.length > 0 && newScopes.length > 0 ? t.asksAlso : t.asks}</h2>
      ${newScopes.length > 0 && newScopeList(newScopes, words)}
      ${heldScopes.length > 0 && html`<h3>${t.held}</h3>`}
      ${heldScopes.length > 0 && heldScopeList(heldScopes, words)}
      <details>
        <summary>${t.preview}</summary>
        ${examples}
      </details>
    </section>`;
}

function newScopeList(scopes: ScopeSet, words: AllScopeWords): Html {
  // Denying the request is the only way to refuse sign-in, so its scope has no checkbox.
  const items = scopes.map((scope) => (isApiScope(scope) ? checkbox : fixedItem)(scope, words[scope]));
  return html`
    <ul class="tick">
      ${items}
    </ul>`;
}

function heldScopeList(scopes: ScopeSet, words: AllScopeWords): Html {
  const items = scopes.map(
    (scope) => html`
      <li><strong>${words[scope].name}</strong> <span class="soft small">${words[scope].reads}</span></li>`,
  );
  return html`
    <ul class="held">
      ${items}
    </ul>`;
}

function fixedItem(_: Scope, { name, reads }: ScopeWords): Html {
  return html`
    <li class="fixed">
      <strong>${name}</strong><br>
      <span class="soft small">${reads}</span>
    </li>`;
}

function checkbox(scope: Scope, { name, reads }: ScopeWords): Html {
  const id = `about-${scope.replace(':', '-')}`;
  return html`
    <li>
      <label>
        <input type="checkbox" name="scope" value="${scope}" checked aria-describedby="${id}">
        <span>
          <strong>${name}</strong><br>
          <span class="soft small" id="${id}">${reads}</span>
        </span>
      </label>
    </li>`;
}

function limitsCard(signsInOnly: boolean, t: ConsentWords): Html {
  return html`
    <section class="card see">
      <div class="can">
        <h2>${t.can}</h2>
        <ul>
          <li>${signsInOnly ? t.canRecognise : t.canRead}</li>
          <li>${t.untilRemoved} <a href="/settings/apps">${t.connectedApps}</a></li>
          <li>${t.renews}</li>
        </ul>
      </div>
      <div class="cannot">
        <h2>${t.cannot}</h2>
        <ul>
          ${t.cannotList.map((item) => html`<li>${item}</li>`)}
        </ul>
      </div>
    </section>`;
}

// The preview shows the same answers that the application would get, made by the same functions.
async function preview(
  parts: OAuthParts,
  request: AuthorizationRequest,
  user: User,
  t: ConsentWords,
): Promise<Html[]> {
  const examples: Html[] = [];
  if (request.scopes.includes('openid')) {
    const json = JSON.stringify({ sub: subjectOf(user.id) }, null, 2);
    examples.push(example('id_token', [json]));
  }
  if (request.scopes.includes('profile:read')) {
    const json = JSON.stringify(profile(user, parts.site.baseUrl, parts.oauth.clock()), null, 2);
    examples.push(example(`GET ${PATHS.api}/me`, [json]));
  }
  if (request.scopes.includes('posts:read')) {
    const { items, total } = await publishedPostsOf(parts.community, user.id, 0, 1);
    const json = items.map((post) => JSON.stringify(postItem(post, parts.site.baseUrl), null, 2));
    examples.push(example(`GET ${PATHS.api}/me/posts`, json, t.posts(total)));
  }
  return examples;
}

function example(request: string, answers: readonly string[], note?: string): Html {
  return html`
    <h3 class="small">${request}</h3>
    ${note !== undefined && html`<p class="small soft">${note}</p>`}
    ${answers.map((answer) => html`<pre tabindex="0">${answer}</pre>`)}`;
}
