// The frame of every page: head, header, footer, and the headers that keep a page to itself.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { avatarPath } from './avatar-path.ts';
import { bilingual, LANGUAGE_TAGS } from './language.ts';
import { pathOf } from './request-form.ts';
import { pagePolicy } from './security-headers.ts';
import { formToken, type PageContext } from './visitor.ts';

/** A piece of HTML whose values have been escaped. */
export type Html = ReturnType<typeof html>;

export interface PageOptions {
  title: string;
  status?: 200 | 400 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503;
  /** Sources besides this site to which a form on the page may lead, in the end. */
  formTargets?: readonly string[];
  /** A script of ours that spares a press of a button; the page works without it. */
  script?: string;
  /** The pages of a section beside the content. */
  menu?: Html;
}

/** Answers with a page. It is for this visitor alone, so nothing keeps a copy. */
export function page(c: PageContext, options: PageOptions, content: Html): Response | Promise<Response> {
  const { language } = c.get('visitor');
  const site = c.get('site');
  c.header('Content-Security-Policy', pagePolicy(options.formTargets, options.script !== undefined));
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Cookie, Accept-Language');
  c.header('Content-Language', LANGUAGE_TAGS[language]);
  const whole = html`<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${options.title === site.name ? site.name : `${options.title} · ${site.name}`}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
${options.script === undefined ? '' : html`<script src="${options.script}" defer></script>`}
<link rel="icon" href="/icon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#content">${words[language].skip}</a>
${header(c)}
${options.menu === undefined ? html`<main id="content">${content}</main>` : html`<main id="content" class="wide"><aside class="menu">${options.menu}</aside><div>${content}</div></main>`}
${footer(c)}
</body>
</html>`;
  // As a text proper: what the template gives is an object, which the adapter could only send as a stream.
  return c.html(whole.toString(), options.status ?? 200);
}

/** The hidden field that every form with method="post" must carry. */
export function formTokenField(c: PageContext): Html {
  return html`<input type="hidden" name="form_token" value="${formToken(c)}">`;
}

/** The style sheet and the mark, under addresses that change with their content. */
export function staticFiles(): Hono {
  const door = new Hono();
  door.get(STYLE_PATH, (c) => c.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8', ...FOREVER }));
  door.get(FORM_POST_SCRIPT, (c) =>
    c.body(FORM_POST, 200, { 'Content-Type': 'text/javascript; charset=utf-8', ...FOR_A_DAY }),
  );
  door.get('/icon.svg', (c) => c.body(ICON, 200, { 'Content-Type': 'image/svg+xml', ...FOR_A_DAY }));
  return door;
}

const STYLE = readFileSync(new URL('./static/style.css', import.meta.url), 'utf8');
const STYLE_PATH = `/style.${createHash('sha256').update(STYLE).digest('hex').slice(0, 12)}.css`;
const ARCH = 'M4 21V11a8 8 0 0 1 16 0v10M9 21v-9a3 3 0 0 1 6 0v9M2 21h20';
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#b4552d" stroke-width="2.2"><path d="${ARCH}"/></svg>`;
/** Presses the button of the page that posts an answer to an application. */
export const FORM_POST_SCRIPT = '/form-post.js';
const FORM_POST = "document.getElementById('answer').submit();\n";
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const FOR_A_DAY = { 'Cache-Control': 'public, max-age=86400' };

function header(c: PageContext): Html {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const mark = raw(
    `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" aria-hidden="true"><path d="${ARCH}"/></svg>`,
  );
  const account =
    visit === undefined
      ? html`<a href="/login">${t.signIn}</a><a class="button primary" href="/signup">${t.signUp}</a>`
      : html`<a class="row small" href="/u/${encodeURIComponent(visit.user.username)}"><img class="avatar" width="28" height="28" alt="" src="${avatarPath(visit.user.id, visit.user.avatar)}"> ${visit.user.username}</a>
${accountLinks(c, 'more')}
<a class="button primary" href="/write">${t.write}</a>`;
  return html`<header class="site"><div><a class="mark" href="/">${mark}${c.get('site').name}</a><nav aria-label="${t.navigation}">${account}</nav></div></header>`;
}

// In the header where there is room, else in the footer.
function accountLinks(c: PageContext, where: 'more' | 'less'): Html {
  const t = words[c.get('visitor').language];
  return html`<a class="${where}" href="/settings/profile">${t.settings}</a>
<form class="${where}" method="post" action="/logout">${formTokenField(c)}<button class="link">${t.signOut}</button></form>`;
}

function footer(c: PageContext): Html {
  const { language, visit } = c.get('visitor');
  const t = words[language];
  const other = language === 'en' ? 'zh' : 'en';
  return html`<footer class="site"><div class="small soft"><a href="/docs">${t.docs}</a>
${visit === undefined ? '' : accountLinks(c, 'less')}
<form method="post" action="/language">${formTokenField(c)}<input type="hidden" name="return_to" value="${returnPath(c)}"><button class="link" name="language" value="${other}" lang="${LANGUAGE_TAGS[other]}">${words[other].name}</button></form></div></footer>`;
}

// A page that answered a form has no address to come back to but the home page.
function returnPath(c: PageContext): string {
  return c.req.method === 'GET' ? pathOf(c) : '/';
}

const words = bilingual(
  {
    name: 'English',
    skip: 'Skip to the content',
    navigation: 'Main',
    signIn: 'Sign in',
    signUp: 'Join',
    signOut: 'Sign out',
    settings: 'Settings',
    write: 'Write',
    docs: 'For developers',
  },
  {
    name: '中文',
    skip: '跳到正文',
    navigation: '主导航',
    signIn: '登录',
    signUp: '加入',
    signOut: '退出',
    settings: '设置',
    write: '写文章',
    docs: '开发者文档',
  },
);
