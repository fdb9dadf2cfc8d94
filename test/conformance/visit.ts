// The suite's browser and its user: follows redirects, signs in, presses Allow and posts a response, until it arrives
// at a callback or stays on a page.

import assert from 'node:assert/strict';
import { type Browser, formIn } from '../support/browser.ts';
import type { Arrival, Callbacks } from './callbacks.ts';

export interface VisitOptions {
  method?: 'GET' | 'POST';
  decision?: 'allow' | 'deny';
  member?: { username: string; password: string };
}

/** A page on the way. */
export interface Page {
  kind: 'login' | 'consent' | 'form_post' | 'logout' | 'other';
  status: number;
  headers: Headers;
  text: string;
}

/** Where the browser ended up. */
export interface Landing {
  /** The request to a callback; undefined if the browser stayed on a page. */
  arrival: Arrival | undefined;
  /** The last page, and those before it. */
  pages: Page[];
  /** Addresses outside the site that the browser was sent to. */
  sentTo: string[];
}

const MOST_STEPS = 12;

/** Open an endpoint with these parameters, and answer its pages. Every redirect is checked before it is followed. */
export async function visit(
  { browser, callbacks }: { browser: Browser; callbacks: Callbacks },
  endpoint: string,
  request: URLSearchParams,
  options: VisitOptions,
): Promise<Landing> {
  callbacks.take();
  const site = new URL(endpoint).origin;
  const landing: Landing = { arrival: undefined, pages: [], sentTo: [] };
  let answer = await begin(browser, endpoint, request, options.method ?? 'GET');
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const location = answer.headers.get('location');
    if (location !== null) {
      assert.equal(answer.status, 303);
      const target = new URL(location, site);
      if (target.origin === site) {
        answer = await browser.open(target.href);
        continue;
      }
      // Checked here, because a browser doesn't send the fragment (and none is ever allowed).
      assert.equal(target.hash, '', 'The address has a fragment.');
      landing.sentTo.push(location);
      if (target.origin === callbacks.url) await fetch(target);
      return withArrival(landing, callbacks);
    }
    const page = await read(answer);
    landing.pages.push(page);
    const next = await answerPage(browser, page, callbacks, options, landing);
    if (next === undefined) return withArrival(landing, callbacks);
    answer = next;
  }
  throw new Error('The browser is redirected in a loop.');
}

// A POST comes from another site, so a browser sends it without its Lax cookies.
function begin(
  browser: Browser,
  endpoint: string,
  request: URLSearchParams,
  method: 'GET' | 'POST',
): Promise<Response> {
  if (method === 'GET') return browser.open(`${endpoint}?${request}`);
  const headers = { Origin: 'https://rp.example.com', 'Sec-Fetch-Site': 'cross-site' };
  return fetch(endpoint, { method, body: request, headers, redirect: 'manual' });
}

/** Press the button on the page. Returns undefined if the browser has left the site, or there is no button. */
async function answerPage(
  browser: Browser,
  page: Page,
  callbacks: Callbacks,
  { member, decision = 'allow' }: VisitOptions,
  landing: Landing,
): Promise<Response | undefined> {
  switch (page.kind) {
    case 'login': {
      const { username = '', password = '' } = member ?? {};
      return browser.submit(page.text, '/login', { username, password });
    }
    case 'consent':
      return browser.submit(page.text, '/oauth/consent', { decision });
    case 'logout':
      return browser.submit(page.text, '/oauth/logout/answer', { decision: 'sign_out' });
    case 'form_post': {
      const action = answerAction(page.text) ?? '';
      landing.sentTo.push(action);
      if (!action.startsWith(`${callbacks.url}/`)) return undefined;
      await fetch(action, { method: 'POST', body: new URLSearchParams(formIn(page.text, action)) });
      return undefined;
    }
    case 'other':
      return undefined;
  }
}

function withArrival(landing: Landing, callbacks: Callbacks): Landing {
  const arrivals = callbacks.take();
  assert.ok(arrivals.length <= 1, 'The browser arrived more than once.');
  return { ...landing, arrival: arrivals[0] };
}

async function read(answer: Response): Promise<Page> {
  const text = await answer.text();
  return { kind: kindOf(text), status: answer.status, headers: answer.headers, text };
}

function kindOf(text: string): Page['kind'] {
  if (text.includes('action="/oauth/consent"')) return 'consent';
  if (text.includes('action="/oauth/logout/answer"')) return 'logout';
  if (text.includes('action="/login"')) return 'login';
  return answerAction(text) === undefined ? 'other' : 'form_post';
}

/** Return the address of a form that leads to another site, as a browser reads it. */
function answerAction(text: string): string | undefined {
  return /<form\b[^>]*action="(https?:[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
}
