// Every page as a whole: its head, what stands around its content, and the headers that keep a page to itself.

import { html } from 'hono/html';
import type { Problem } from '../problem.ts';
import { pagePolicy } from '../security-headers.ts';
import { STYLE_PATH } from '../static-files.ts';
import { footer, header } from './frame.ts';
import { bilingual, LANGUAGE_TAGS } from './language.ts';
import { formToken, type PageContext } from './visitor.ts';

/** A piece of HTML whose values have been escaped. */
export type Html = ReturnType<typeof html>;

export interface PageOptions {
  title: string;
  status?: 200 | 409 | Problem['status'];
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
export async function page(c: PageContext, options: PageOptions, content: Html): Promise<Response> {
  const { language } = c.get('visitor');
  c.header('Content-Security-Policy', pagePolicy(options.formTargets, options.script !== undefined));
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Cookie, Accept-Language');
  c.header('Content-Language', LANGUAGE_TAGS[language]);
  const unread = await unreadOf(c);
  // As a string: the template yields an object, which the adapter could only send as a stream.
  return c.html(whole(c, options, content, unread).toString(), options.status ?? 200);
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
async function unreadOf(c: PageContext): Promise<number> {
  return (
    c
      .get('visitor')
      .unread?.()
      .catch(() => 0) ?? 0
  );
}

/** The hidden field that every form with method="post" must carry. */
export function formTokenField(c: PageContext): Html {
  return html`<input type="hidden" name="form_token" value="${formToken(c)}">`;
}

const SKIP = bilingual('Skip to the content', '跳到正文');
