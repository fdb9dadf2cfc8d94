// A line of the request inspector: what happened, and behind it the cause, the difference and the fix.

import { html } from 'hono/html';
import type { Piece } from '../../../lib/text-difference.ts';
import type { RequestLine } from '../../../oauth/request-inspector-store.ts';
import type { BrokenRule, RequestRule } from '../../../oauth/request-rules.ts';
import { clockTimeOf, countOf, dayElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { errorPage, requestsPath } from '../../routes.ts';
import type { Compare } from './request-comparison.ts';
import { type RequestWords, requestWords } from './request-words.ts';
import { wordsOfRule } from './rule-words.ts';

// Of requests that succeeded: the page of the error that the mistake alone would be.
const PAGE_OF_MISTAKE: Partial<Record<RequestRule, string>> = {
  scope_unknown: 'invalid_scope',
  scope_unregistered: 'invalid_scope',
};

/** Show a line. The one that was looked for is open. */
export function requestLine(c: PageContext, line: RequestLine, isWanted: boolean, compare: Compare): Html {
  const visitor = c.get('visitor');
  const t = requestWords[visitor.language];
  const { facts, requests, firstAt, lastAt } = line;
  const [first] = facts.broken;
  const cause = first && wordsOfRule(first.rule, visitor.language)?.cause;
  const isRefused = facts.outcome === 'refused';
  return html`
    <li id="request-${line.id}-${line.minute}" data-version="${requests}-${lastAt}"${isWanted && html` class="wanted"`}>
      <details${isWanted && html` open`}>
        <summary>
          <span class="request">
            <span class="soft small">${dayElement(lastAt, visitor)} ${clockTimeOf(lastAt, visitor)}</span>
            <strong>${t.endpoints[facts.endpoint]}</strong>
            <span class="badge${isRefused && ' warning'}">${t.outcomes[facts.outcome]} ${facts.error ?? ''}</span>
            ${!isRefused && first !== undefined && html`<span class="badge warning">${t.mistake}</span>`}
            ${requests > 1 && html`<span class="soft small">× ${countOf(requests)}</span>`}
          </span>
          ${cause !== undefined && html`<span class="cause">${cause}</span>`}
          ${first === undefined && summaryOf(line)}
        </summary>
        ${facts.broken.map(
          (broken, index) => html`
          ${index > 0 && html`<p>${wordsOfRule(broken.rule, visitor.language)?.cause}</p>`}
          ${broken.parameter !== undefined && html`<p>${t.parameter}: <code>${broken.parameter}</code></p>`}
          ${comparison(broken, t, line, isWanted, compare)}
          ${fix(c, broken, facts.error)}`,
        )}
        ${facts.broken.length === 0 && facts.error !== undefined && errorLink(c, facts.error)}
        ${facts.isShortened && html`<p class="soft small">${t.shortened}</p>`}
        <dl class="facts">
          ${fact(t.time, timesOf(firstAt, lastAt, c))}
          ${fact(t.status, String(facts.status))}
          ${fact(t.path, facts.path)}
          ${fact('grant_type', facts.grantType)}
          ${fact('scope', facts.scope)}
          ${fact(t.credential, facts.credential && html`<code>${facts.credential}…</code>`)}
          ${fact(t.from, [line.program, line.network].filter(Boolean).join(' · '))}
          ${isRefused && fact(t.id, html`<code>${line.id}</code>`)}
        </dl>
      </details>
    </li>`;
}

function summaryOf({ facts }: RequestLine): Html | '' {
  const text = [facts.path, facts.grantType, facts.scope].filter(Boolean).join(' · ');
  return text === '' ? '' : html`<span class="cause soft">${text}</span>`;
}

function timesOf(firstAt: number, lastAt: number, c: PageContext): string {
  const visitor = c.get('visitor');
  const [first, last] = [clockTimeOf(firstAt, visitor), clockTimeOf(lastAt, visitor)];
  return first === last ? first : `${first} – ${last}`;
}

function fact(name: string, value: Html | string | undefined): Html | '' {
  return value === undefined || value === '' ? '' : html`<dt>${name}</dt><dd>${value}</dd>`;
}

function fix(c: PageContext, broken: BrokenRule, error: string | undefined): Html {
  const { language } = c.get('visitor');
  const page = error ?? PAGE_OF_MISTAKE[broken.rule];
  return html`
    <p><strong>${requestWords[language].fix}</strong> ${wordsOfRule(broken.rule, language)?.fix}</p>
    ${page !== undefined && errorLink(c, page)}`;
}

function errorLink(c: PageContext, error: string): Html {
  const t = requestWords[c.get('visitor').language];
  return html`<p><a href="${errorPage('', error)}">${t.more} <code>${error}</code></a></p>`;
}

// Other rules compare lengths and digests, whose characters mean nothing.
const COMPARED: ReadonlySet<RequestRule> = new Set([
  'redirect_uri_unregistered',
  'code_redirect_uri_differs',
  'scope_unknown',
  'grant_type_unsupported',
  'api_path_unknown',
]);

function comparison(
  { rule, came, expected = [] }: BrokenRule,
  t: RequestWords,
  { clientId, id }: RequestLine,
  isWanted: boolean,
  compare: Compare,
): Html {
  const result = came !== undefined && COMPARED.has(rule) ? compare(came, expected, isWanted) : 'none';
  const { left, right, alike } = typeof result === 'string' ? {} : result;
  return html`
    ${came !== undefined && html`<h4>${t.came}</h4><pre>${left ? marked(left) : came || t.nothing}</pre>`}
    ${expected.length > 0 && html`<h4>${t.expected}</h4>`}
    ${expected.map((text) => html`<pre>${right && text === alike ? marked(right) : text}</pre>`)}
    ${left !== undefined && html`<p class="soft small">${t.differ(firstDifference(left))}</p>`}
    ${result === 'later' && html`<p><a href="${requestsPath(clientId)}?error=${id}">${t.showDifference}</a></p>`}`;
}

function marked(pieces: readonly Piece[]): Html[] {
  return pieces.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : html`${text}`));
}

function firstDifference([first]: readonly Piece[]): number {
  return first?.differs === false ? [...first.text].length + 1 : 1;
}
