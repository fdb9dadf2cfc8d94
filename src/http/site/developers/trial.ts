// Trying the sign-in of one's own application, the first step: the authorization request, and each of its parameters.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import { digestOf } from '../../../lib/secrets.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { formatScope, intersection, type ScopeSet, scopeSet } from '../../../oauth/scope.ts';
import type { Html, PageOptions } from '../../pages/page.ts';
import { newTrial, type Trial } from '../../pages/trial.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { PATHS, trialPath } from '../../routes.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { scopeItem } from './app-fields.ts';
import { appPage } from './frame.ts';
import { stateNotice } from './overview.ts';
import { PARAMETERS, trialWords } from './trial-words.ts';

/** Show the authorization request of a new trial, for the scopes in the query. */
export function trialPage(site: SiteParts, c: PageContext, _: User, client: Client): Promise<Response> {
  return startPage(site, c, client, {});
}

/** What happened to the trial before. */
export interface Refusal {
  status: 400 | 409 | 429;
  text: string;
}

/** Show the first step, after an earlier trial was refused. */
export function startPage(
  { clock }: SiteParts,
  c: PageContext,
  client: Client,
  { refusal }: { refusal?: Refusal },
): Promise<Response> {
  const t = trialWords[c.get('visitor').language];
  const asked = intersection(scopeSet(c.req.queries('scope') ?? []), client.scopes);
  const scopes = asked.length === 0 ? client.scopes : asked;
  const isActive = client.status === 'active';
  return pageOfTrial(
    c,
    client,
    { status: refusal?.status ?? 200 },
    html`
      ${refusal !== undefined && html`<p class="notice wrong" role="alert">${refusal.text}</p>`}
      ${stateNotice(c, client)}
      <h2>${t.title}</h2>
      <p>${t.means}</p>
      <ul class="consequences">
        <li>${t.ownCallback}</li>
        <li>${t.realConsent} <a href="/settings/apps">${t.connectedApps}</a></li>
        <li>${t.realReplay}</li>
      </ul>
      ${isActive && requestCard(c, client, requestOf(client, newTrial(c, client, clock()), scopes))}
      ${isActive && scopeForm(c, client, scopes)}`,
  );
}

/** Show a page of a trial. */
export function pageOfTrial(
  c: PageContext,
  client: Client,
  options: Pick<PageOptions, 'status'>,
  content: Html,
): Promise<Response> {
  return appPage(c, client, '/try', options, content);
}

function requestOf(client: Client, trial: Trial, scopes: ScopeSet): URLSearchParams {
  return new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: trial.redirectUri,
    scope: formatScope(scopes),
    state: trial.state,
    ...(scopes.includes('openid') && { nonce: trial.nonce }),
    // The S256 transform (RFC 7636 §4.2).
    code_challenge: digestOf(trial.codeVerifier),
    code_challenge_method: 'S256',
    prompt: 'consent',
  });
}

function requestCard(c: PageContext, { name }: Client, request: URLSearchParams): Html {
  const t = trialWords[c.get('visitor').language];
  const path = `${PATHS.authorize}?${request}`;
  const rows = PARAMETERS.filter((parameter) => request.has(parameter)).map((parameter) => {
    return html`
      <tr>
        <td data-label="${t.parameter}"><code>${parameter}</code></td>
        <td data-label="${t.value}"><code class="long">${request.get(parameter) ?? ''}</code></td>
        <td data-label="${t.meaning}">${t.parameters[parameter]}</td>
      </tr>`;
  });
  return html`
    <section class="card">
      <h2>${t.authorize}</h2>
      <p>${t.authorizeMeans}</p>
      <pre class="wrapped" tabindex="0" aria-label="${t.authorize}">${c.get('site').baseUrl}${path}</pre>
      <p>${t.consentMeans(name)}</p>
      <p><a class="button primary" href="${path}">${t.open}</a></p>
      <details>
        <summary>${t.explained}</summary>
        ${table([t.parameter, t.value, t.meaning], rows)}
      </details>
    </section>`;
}

function scopeForm(c: PageContext, client: Client, scopes: ScopeSet): Html {
  const { language } = c.get('visitor');
  const t = trialWords[language];
  return html`
    <form class="card" method="get" action="${trialPath(client.id)}">
      <fieldset class="field">
        <legend>${t.scopes}</legend>
        <ul class="tick">${client.scopes.map((scope, index) => scopeItem({ scopes }, scope, index, language))}</ul>
      </fieldset>
      <button>${t.changeScopes}</button>
    </form>`;
}
