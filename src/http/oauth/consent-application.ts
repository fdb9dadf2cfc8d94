// Who asks, on the consent page: the application's name and reputation, where it leads, and signs of an imitation.

import { domainToUnicode } from 'node:url';
import { html } from 'hono/html';
import type { AuthorizationRequest } from '../../oauth/authorization-request.ts';
import type { Client } from '../../oauth/client-store.ts';
import { isKnownToOperators, MOST_MEMBERS_COUNTED } from '../../oauth/imitation.ts';
import { isLoopback } from '../../oauth/redirect-uri.ts';
import { clientMark } from '../pages/client-mark.ts';
import { imitationTexts } from '../pages/imitation-words.ts';
import { ago } from '../pages/moments.ts';
import type { Html } from '../pages/page.ts';
import { memberPath } from '../pages/post-path.ts';
import type { PageContext } from '../pages/visitor.ts';
import { type ConsentWords, consentWords } from './consent-words.ts';
import type { OAuthParts } from './oauth-parts.ts';

/**
 * Introduce the application. Age and number of users help to spot a fake: a look-alike application is new and has no
 * users.
 */
export async function introduction(
  { identity, oauth }: OAuthParts,
  c: PageContext,
  { client, returnTo }: AuthorizationRequest,
  title: string,
): Promise<Html> {
  const { language } = c.get('visitor');
  const t = consentWords[language];
  const owner = client.ownerId === undefined ? undefined : await identity.reads.findUser(client.ownerId);
  const members = await oauth.reads.countGrants(client.id, oauth.clock(), MOST_MEMBERS_COUNTED + 1);
  const age = ago(client.createdAt, oauth.clock(), c.get('visitor'));
  const by =
    owner === undefined
      ? t.byOperators
      : html`${t.by} <a href="${memberPath(owner.username)}" target="_blank">@${owner.username}</a>`;
  const origin = client.documentUrl === undefined ? html`${by} · ${t.registered(age)}` : t.firstUsed(age);
  return html`
    <div class="title">
      ${clientMark(client)}
      <h1>${title}</h1>
    </div>
    ${unverified(c, client, t)}
    <p class="soft">
      ${origin} · ${members > MOST_MEMBERS_COUNTED ? t.manyMembers : t.members(members)}
      ${client.homePage !== undefined && homePage(client, client.homePage, returnTo.redirectUri, t)}
    </p>
    ${client.description !== '' && html`<p>${client.description}</p>`}`;
}

// Its host is certain, because its document is there. The name is only what the document says.
function unverified(c: PageContext, { name, claimedName }: Client, t: ConsentWords): Html | false {
  return (
    claimedName !== undefined &&
    html`<p class="notice">${t.unverified(name, c.get('site').name, claimedName)}</p>`
  );
}

// Anyone can name the home page of someone else. The callback's host gets the answer, so it is known to be the
// application's.
function homePage(client: Client, address: string, redirectUri: string, t: ConsentWords): Html {
  const { host } = new URL(address);
  const isKnown = isKnownToOperators(client) || host === new URL(redirectUri).host;
  return isKnown
    ? html`· <a href="${address}" target="_blank" rel="nofollow noopener">${host}</a>`
    : html`· ${t.homePage(host)}`;
}

/** Name the callback's host, or for an installed application its scheme. */
export function destination(redirectUri: string, t: ConsentWords): Html {
  const url = new URL(redirectUri);
  if (url.host === '' || !url.protocol.startsWith('http')) {
    return html`
      <p class="host">${url.protocol}</p>
      <p class="small soft">${t.onDevice}</p>`;
  }
  if (isLoopback(url.hostname)) {
    return html`
      <p class="host">${url.host}</p>
      <p class="small soft">${t.onLoopback}</p>`;
  }
  const readable = domainToUnicode(url.hostname);
  // A host name in another script can look like a well-known one, so both of its forms are shown.
  const hasTwoForms = readable !== url.hostname && readable !== '' && !url.hostname.startsWith('[');
  return html`
    <p class="host">${url.host}</p>
    ${hasTwoForms && html`<p class="small soft">${t.inLetters(readable)}</p>`}`;
}

/** Warn of signs that the application imitates another one or the community. Empty if there are none. */
export async function warnings(
  parts: OAuthParts,
  c: PageContext,
  { client, returnTo }: AuthorizationRequest,
): Promise<Html | ''> {
  const imitations = await imitationTexts(parts, c, client, [returnTo.redirectUri]);
  if (imitations.length === 0) return '';
  return html`
    <div class="notice wrong" role="alert">
      <h2>${consentWords[c.get('visitor').language].beCareful}</h2>
      <ul>
        ${imitations.map((text) => html`<li>${text}</li>`)}
      </ul>
    </div>`;
}
