// What the application asks for, on the consent page: a box for each scope, and what the application would receive.

import { html } from 'hono/html';
import { publishedPostsOf } from '../../community/post.ts';
import type { User } from '../../identity/user.ts';
import { lockedScopes } from '../../oauth/authorization.ts';
import { subjectOf } from '../../oauth/id-token.ts';
import { reasonFor } from '../../oauth/introduction.ts';
import type { Scope, ScopeSet } from '../../oauth/scope.ts';
import type { Html } from '../pages/page.ts';
import { scopeWords } from '../pages/scope-words.ts';
import type { PageContext } from '../pages/visitor.ts';
import { postItem, profile } from '../representations.ts';
import { PATHS } from '../routes.ts';
import type { ConsentView } from './consent-view.ts';
import { type ConsentWords, consentWords } from './consent-words.ts';
import type { OAuthParts } from './oauth-parts.ts';

/** List the scopes, new ones first, and preview what the application would receive. */
export async function scopeCard(
  parts: OAuthParts,
  c: PageContext,
  view: ConsentView,
  user: User,
): Promise<Html> {
  const t = consentWords[c.get('visitor').language];
  const { newScopes, heldScopes } = view.question;
  const isMore = heldScopes.length > 0 && newScopes.length > 0;
  return html`
    <section class="card">
      <h2 id="asks">${isMore ? t.asksAlso : t.asks}</h2>
      ${newScopes.length > 0 && scopeList(c, view, newScopes, isMore ? t.isNew : undefined)}
      ${heldScopes.length > 0 && html`<h3>${t.held}</h3>`}
      ${heldScopes.length > 0 && html`<div class="held">${scopeList(c, view, heldScopes)}</div>`}
      <details class="received">
        <summary>${t.preview}</summary>
        ${await preview(parts, view, user, t)}
        <p class="nothing soft small">${t.nothing}</p>
      </details>
    </section>`;
}

function scopeList(c: PageContext, view: ConsentView, scopes: ScopeSet, badge?: string): Html {
  return html`
    <ul class="tick">
      ${scopes.map((scope) => scopeItem(c, view, scope, badge))}
    </ul>`;
}

function scopeItem(c: PageContext, { request, refused }: ConsentView, scope: Scope, badge?: string): Html {
  const { language } = c.get('visitor');
  const t = consentWords[language];
  const { name, reads } = scopeWords[language][scope];
  const isLocked = lockedScopes(request).includes(scope);
  const reason = reasonFor(request.client, scope, language);
  const id = `about-${scope.replace(':', '-')}`;
  const isTicked = refused === undefined || refused.scopes.includes(scope);
  // A locked box has no name, so the form doesn't send it: the server adds these scopes itself.
  const attributes = isLocked
    ? html`checked disabled`
    : html`name="scope" value="${scope}"${isTicked && html` checked`}`;
  return html`
    <li>
      <label>
        <input type="checkbox" ${attributes} aria-describedby="${id}">
        <span>
          <strong>${name}</strong>
          ${badge !== undefined && html`<span class="badge">${badge}</span>`}
          ${isLocked && html`<span class="badge" title="${t.locked}">${t.required}</span>`}<br>
          <span class="soft small" id="${id}">
            ${reads}
            ${reason !== undefined && html`<br>${t.reason} <q>${reason}</q>`}
          </span>
        </span>
      </label>
    </li>`;
}

// The preview shows the same answers that the application would get, made by the same functions. The style sheet hides
// the answers for a scope that is not ticked.
async function preview(
  parts: OAuthParts,
  { request: { scopes } }: ConsentView,
  user: User,
  t: ConsentWords,
): Promise<Html[]> {
  const examples: Html[] = [];
  if (scopes.includes('openid')) {
    const json = JSON.stringify({ sub: subjectOf(user.id) }, null, 2);
    examples.push(example('openid', 'id_token', [json]));
  }
  if (scopes.includes('profile:read')) {
    const json = JSON.stringify(profile(user, parts.site.baseUrl, parts.oauth.clock()), null, 2);
    examples.push(example('profile:read', `GET ${PATHS.api}/me`, [json]));
  }
  if (scopes.includes('posts:read')) {
    const { items, total } = await publishedPostsOf(parts.community, user.id, 0, 1);
    const json = items.map((post) => JSON.stringify(postItem(post, parts.site.baseUrl), null, 2));
    examples.push(example('posts:read', `GET ${PATHS.api}/me/posts`, json, t.posts(total)));
  }
  return examples;
}

function example(scope: Scope, request: string, answers: readonly string[], note?: string): Html {
  return html`
    <div data-scope="${scope}">
      <h3 class="small">${request}</h3>
      ${note !== undefined && html`<p class="small soft">${note}</p>`}
      ${answers.map((answer) => html`<pre tabindex="0">${answer}</pre>`)}
    </div>`;
}
