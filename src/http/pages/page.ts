// Every page as a whole: its head, what stands around its content, and the headers that keep a page to itself.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { type Awaitable, andThen } from '../../lib/awaitable.ts';
import { pagePolicy } from '../security-headers.ts';
import { ARCH, footer, header } from './frame.ts';
import { bilingual, LANGUAGE_TAGS } from './language.ts';
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
  /** The one path of what is also found at others. */
  canonical?: string;
  /** The path of a feed of what the page lists. */
  feed?: string;
}

/** Answers with a page. It is for this visitor alone, so nothing keeps a copy. */
export function page(c: PageContext, options: PageOptions, content: Html): Response | Promise<Response> {
  const { language } = c.get('visitor');
  c.header('Content-Security-Policy', pagePolicy(options.formTargets, options.script !== undefined));
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Cookie, Accept-Language');
  c.header('Content-Language', LANGUAGE_TAGS[language]);
  return andThen(unreadOf(c), (unread) =>
    // As a text proper: what the template gives is an object, which the adapter could only send as a stream.
    c.html(whole(c, options, content, unread).toString(), options.status ?? 200),
  );
}

function whole(c: PageContext, options: PageOptions, content: Html, unread: number): Html {
  const { language } = c.get('visitor');
  const site = c.get('site');
  return html`<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${options.title === site.name ? site.name : html`${options.title} &middot; ${site.name}`}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
${options.script === undefined ? '' : html`<script src="${options.script}" defer></script>`}
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${options.canonical === undefined ? '' : html`<link rel="canonical" href="${site.baseUrl}${options.canonical}">`}
${options.feed === undefined ? '' : html`<link rel="alternate" type="application/atom+xml" title="${options.title}" href="${options.feed}">`}
</head>
<body>
<a class="skip" href="#content">${SKIP[language]}</a>
${header(c, unread)}
${options.menu === undefined ? html`<main id="content">${content}</main>` : html`<main id="content" class="wide"><aside class="menu">${options.menu}</aside><div>${content}</div></main>`}
${footer(c)}
</body>
</html>`;
}

// A page that says that the database is away must not need it.
function unreadOf(c: PageContext): Awaitable<number> {
  const { unread } = c.get('visitor');
  return unread === undefined ? 0 : unread().catch(() => 0);
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
  door.get(EDITOR_SCRIPT, (c) =>
    c.body(EDITOR, 200, { 'Content-Type': 'text/javascript; charset=utf-8', ...FOREVER }),
  );
  door.get('/icon.svg', (c) => c.body(ICON, 200, { 'Content-Type': 'image/svg+xml', ...FOR_A_DAY }));
  return door;
}

const STYLE = readStatic('style.css');
const STYLE_PATH = `/style.${createHash('sha256').update(STYLE).digest('hex').slice(0, 12)}.css`;
const EDITOR = readStatic('editor.js');
/** Saves and previews a draft while somebody writes. */
export const EDITOR_SCRIPT = `/editor.${createHash('sha256').update(EDITOR).digest('hex').slice(0, 12)}.js`;
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#b4552d" stroke-width="2.2"><path d="${ARCH}"/></svg>`;

function readStatic(file: string): string {
  return readFileSync(join(import.meta.dirname, '../static', file), 'utf8');
}

/** Presses the button of the page that posts an answer to an application. */
export const FORM_POST_SCRIPT = '/form-post.js';
const FORM_POST = "document.getElementById('answer').submit();\n";
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const FOR_A_DAY = { 'Cache-Control': 'public, max-age=86400' };

const SKIP = bilingual('Skip to the content', '跳到正文');
