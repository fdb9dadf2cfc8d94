// An exchange of a trial: the request as an application sends it, and the answer as it gets it, with shortened
// credentials.

import { html } from 'hono/html';
import { readToken } from '../../../oauth/token.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { errorPage } from '../../routes.ts';
import type { SiteParts } from '../site-parts.ts';
import { idTokenCard } from './trial-id-token.ts';
import { EXPECTED_STATUS, type Exchange, jsonIn } from './trial-run.ts';
import { stepWords } from './trial-step-words.ts';
import { trialWords } from './trial-words.ts';

/** Show an exchange, with what it is for. */
export function exchangeCard(
  { oauth }: SiteParts,
  c: PageContext,
  { step, request, answer, idToken }: Exchange,
  number: number,
): Html {
  const { language } = c.get('visitor');
  const t = trialWords[language];
  const { title, means } = stepWords[language][step];
  const isExpected = answer.status === EXPECTED_STATUS[step];
  const result = isExpected ? t.expected : t.unexpected;
  const error = errorIn(answer);
  return html`
    <li class="card">
      <div class="row spread">
        <h2>${number}. ${title}</h2>
        <span class="badge${!isExpected && ' warning'}">${answer.status} · ${result}</span>
      </div>
      <p>${means}</p>
      <h3>${t.request}</h3>
      <pre tabindex="0" aria-label="${t.request}">${requestText(c, request, oauth.brand)}</pre>
      <h3>${t.answer}</h3>
      <pre tabindex="0" aria-label="${t.answer}">${answerText(answer, oauth.brand)}</pre>
      ${error !== undefined && html`<p><a href="${errorPage('', error)}">${t.moreAbout} <code>${error}</code></a></p>`}
      <details>
        <summary>${t.headers}</summary>
        <pre tabindex="0" aria-label="${t.headers}">${answer.headers.map((pair) => pair.join(': ')).join('\n')}</pre>
      </details>
      ${idToken !== undefined && idTokenCard(c, idToken)}
    </li>`;
}

function requestText(
  c: PageContext,
  { method, path, headers, fields }: Exchange['request'],
  brand: string,
): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(c.get('site').baseUrl).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${shownHeader(value, brand)}`),
  ];
  if (fields === undefined) return lines.join('\n');
  const body = Object.entries(fields).map(([name, value]) => `${name}=${shownField(name, value, brand)}`);
  return [...lines, 'Content-Type: application/x-www-form-urlencoded', '', body.join('\n&')].join('\n');
}

function shownHeader(value: string, brand: string): string {
  const [scheme = '', token] = value.split(' ');
  return scheme === 'Bearer' && token !== undefined ? `Bearer ${shortened(token, brand)}` : value;
}

function shownField(name: string, value: string, brand: string): string {
  return CREDENTIALS.has(name) ? shortened(value, brand) : encodeURIComponent(value);
}

function answerText({ status, headers, body }: Exchange['answer'], brand: string): string {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return `HTTP/1.1 ${status}\nContent-Type: ${type}\n\n${readable(body, brand)}`;
}

// With line breaks, which the answer doesn't have.
function readable(body: string, brand: string): string {
  try {
    const shorten = (name: string, value: unknown) =>
      CREDENTIALS.has(name) && typeof value === 'string' ? shortened(value, brand) : value;
    return JSON.stringify(JSON.parse(body), shorten, 2);
  } catch {
    return body;
  }
}

const CREDENTIALS: ReadonlySet<string> = new Set([
  'client_secret',
  'code',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
]);

/** Shorten a credential. Another text in its place may be a password, so nothing of it is shown. */
export function shortened(text: string, brand: string): string {
  const isCredential = readToken(text, brand) !== undefined || /^eyJ[\w-]+(\.[\w-]+){2}$/.test(text);
  return isCredential ? `${text.slice(0, 10)}…${text.slice(-4)}` : '…';
}

/** The code of an error that has a page in the documentation. */
export function errorIn(answer: Exchange['answer']): string | undefined {
  if (answer.status < 400) return undefined;
  const { error_uri: uri, type } = jsonIn(answer) as { error_uri?: unknown; type?: unknown };
  return /\/docs\/errors\/(\w+)$/.exec(String(uri ?? type ?? ''))?.[1];
}
