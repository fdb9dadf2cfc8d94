// The consent page in Chromium: two applications, one that imitates the other, and what members do on it.

import type { Browser, Page } from 'playwright-core';
import { byServer } from '../../../src/audit/doer.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { changeClient } from '../../../src/oauth/client-change.ts';
import { renewLooks } from '../../../src/oauth/client-looks.ts';
import { type App, openApp } from '../../support/app.ts';
import { openChromium } from '../../support/chromium.ts';
import { type LOOKS, signIn } from '../../support/looks.ts';
import { notebook, person, type RegisteredClient } from '../../support/people.ts';
import { authorizationRequest } from '../../support/relying-party.ts';
import { addSignIn } from '../../support/seeding.ts';

export type Locale = (typeof LOOKS)[number]['locale'];

export const WORDS = {
  'en-GB': {
    reputation: /^by @mallory · registered 2\d days ago · \d members use it · notebook\.example\.com$/,
    cannot: 'see your email, account status or devices',
    reason: 'To greet you by name.',
    required: 'Required',
    month: /30 days, until \d+ \w+ 20\d\d/,
    isNew: 'New',
    official: /looks official/,
    likeName: /looks like Notebook/,
    likeHost: /looks like notebook\.example\.com/,
    mixed: /mixes letters/,
    reported: 'Report sent',
    toContinue: 'to continue to Notebook',
    unregistered: 'Notebook asked us to send you to an address that is not registered for it',
  },
  'zh-CN': {
    reputation: /^开发者 @mallory · 2\d天前注册 · \d 位成员在使用 · notebook\.example\.com$/,
    cannot: '查看您的邮箱、账号状态或设备',
    reason: '用昵称向您问好。',
    required: '必需',
    month: /30 天，至 20\d\d年/,
    isNew: '新',
    official: /看似官方/,
    likeName: /与“Notebook”相似/,
    likeHost: /与 notebook\.example\.com 相似/,
    mixed: /混用了/,
    reported: '举报已提交',
    toContinue: '继续前往 Notebook',
    unregistered: 'Notebook 要求跳转到一个没有为它登记的地址',
  },
} as const satisfies Record<Locale, object>;

export let app: App;
export let chromium: Browser;
export let client: RegisteredClient;
export let fake: RegisteredClient;
export let official: RegisteredClient;

/** Open the program with its applications, and the browser. */
export async function openFixture(): Promise<void> {
  app = await openApp({ SITE_NAME: 'Lantern' });
  const { portico } = app;
  const [mallory, bob] = [await person(portico, 'mallory'), await person(portico, 'bob')];
  client = await notebook(portico, { ownerId: mallory.id });
  await changeClient(byServer(portico.clock), portico.oauth, client.id, {
    requiredScopes: ['profile:read'],
    scopeReasons: { 'profile:read': { en: WORDS['en-GB'].reason, zh: WORDS['zh-CN'].reason } },
    homePage: 'https://notebook.example.com/',
  });
  for (const user of [mallory, bob]) await addSignIn(portico, client, user.id);
  // The first o is Cyrillic, and the host misses a letter.
  const redirectUris = ['https://notebok.example.com/callback'];
  fake = await notebook(portico, { name: 'Nоtebook', ownerId: bob.id, redirectUris });
  official = await notebook(portico, {
    name: 'Lantern Support',
    ownerId: bob.id,
    redirectUris: ['https://xn--80ak6aa92e.com/cb'],
  });
  await renewLooks(portico.oauth);
  app.clock.advance(21 * DAY);
  chromium = await openChromium();
}

export async function closeFixture(): Promise<void> {
  await chromium?.close();
  await app?.close();
}

/** A member who opens the page. */
export interface Visit {
  page: Page;
  username: string;
  words: (typeof WORDS)[Locale];
}

export function pathOf(of: RegisteredClient, more: Record<string, string> = {}): string {
  const request = { scope: 'openid profile:read posts:read', nonce: 'n-0S6', ...more };
  return `${app.url}/oauth/authorize?${authorizationRequest(of, request)}`;
}

export async function openConsent(
  page: Page,
  username: string,
  of: RegisteredClient,
  more: Record<string, string> = {},
): Promise<void> {
  await page.goto(pathOf(of, more));
  await signIn(page, username);
}

/** Press a button, and return where the browser goes. There is no application, so it doesn't arrive. */
export async function answer(page: Page, decision: 'allow' | 'deny'): Promise<URL> {
  const [request] = await Promise.all([
    page.waitForEvent('requestfailed', (failed) => failed.url().startsWith(client.redirectUri)),
    page.click(`button[value="${decision}"]`),
  ]);
  await page.waitForURL(/^chrome-error:/);
  return new URL(request.url());
}

export function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`);
}

export async function grantOf(username: string) {
  const user = await app.portico.identity.reads.findUserByName(username);
  return user && app.portico.oauth.reads.findGrant(user.id, client.id, app.clock.now);
}
