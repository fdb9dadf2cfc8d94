// Files that are the same for every visitor: the style sheet, the fonts, the scripts and the icon.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { lazily } from '../lib/remember.ts';

/** For an address that has a fingerprint of the content. */
export const FOREVER = 'public, max-age=31536000, immutable';
const FOR_A_DAY = 'public, max-age=86400';

interface StaticFile {
  path: string;
  type: string;
  cache: string;
  text: string | Uint8Array<ArrayBuffer>;
}

const FONTS = ['serif-400', 'serif-400-italic', 'serif-600'].map((name) => fontFile(name));
/** The font of headings, which is on every page. */
export const HEADING_FONT = pathOfFont('serif-600');

// The names of fonts in it become their paths.
const STYLE = readStatic('style.css').replaceAll(
  /url\("([\w-]+)\.woff2"\)/g,
  (_, name) => `url("${pathOfFont(name)}")`,
);
/** The path contains a fingerprint of the content, because browsers cache the file forever. */
export const STYLE_PATH = `/style.${fingerprint(STYLE)}.css`;

const SCRIPTS: StaticFile[] = [];
/** The script that saves and previews a draft while the author writes. */
export const EDITOR_SCRIPT = addScript('editor');
/** The scripts of a text in Markdown: its toolbar and keys, and the suggestions of members. */
export const MARKDOWN_SCRIPTS: readonly string[] = [addScript('toolbar'), addScript('mentions')];
/** The script of buttons that copy a text. */
export const COPY_SCRIPT = addScript('copy');
/** The script that asks the browser for a passkey. */
export const PASSKEY_SCRIPT = addScript('passkey');
/** The script that checks callback addresses while they are typed. */
export const CALLBACKS_SCRIPT = addScript('callbacks');
/** The script that shows new requests of an application. */
export const REQUESTS_SCRIPT = addScript('requests');
/** The script that sends the requests of the API reference. */
export const EXPLORER_SCRIPT = addScript('explorer');
/** The script that uploads pictures which are chosen, pasted or dropped. */
export const PICTURES_SCRIPT = addScript('pictures');
/** The script of the keyboard's shortcuts. */
export const KEYS_SCRIPT = addScript('keys');
/** The script that quotes selected words in a comment. */
export const QUOTE_SCRIPT = addScript('quote');
/** The script that marks the comments that are new to the reader. */
export const FRESH_SCRIPT = addScript('fresh');
/** The script of buttons that stay pressed, such as the one that likes a post. */
export const PRESS_SCRIPT = addScript('press');

const FORM_POST = "document.getElementById('answer').submit();\n";
/** The script of the page that posts an answer to an application. It submits the form. */
export const FORM_POST_SCRIPT = '/form-post.js';

/** The site's logo, as an SVG path. */
export const ARCH = 'M4 21V11a8 8 0 0 1 16 0v10M9 21v-9a3 3 0 0 1 6 0v9M2 21h20';
const ICON = archIn('#b4552d');

const FILES: StaticFile[] = [
  { path: STYLE_PATH, type: 'text/css; charset=utf-8', cache: FOREVER, text: STYLE },
  ...SCRIPTS,
  { path: FORM_POST_SCRIPT, type: 'text/javascript; charset=utf-8', cache: FOR_A_DAY, text: FORM_POST },
  { path: '/icon.svg', type: 'image/svg+xml; charset=utf-8', cache: FOR_A_DAY, text: ICON },
  ...FONTS,
];

/** Serve the files. Texts are compressed for browsers that accept it: unlike pages, they contain no secrets. */
export function staticFiles(): Hono {
  const app = new Hono();
  for (const { path, type, cache, text } of FILES) {
    const headers = { 'Content-Type': type, 'Cache-Control': cache };
    if (typeof text !== 'string') {
      app.get(path, (c) => c.body(text, 200, headers));
      continue;
    }
    const compressed = lazily(() => new Uint8Array(gzipSync(text, { level: 9 })));
    app.get(path, (c) => {
      c.header('Vary', 'Accept-Encoding');
      if (!acceptsGzip(c.req.header('accept-encoding'))) return c.body(text, 200, headers);
      return c.body(compressed(), 200, { ...headers, 'Content-Encoding': 'gzip' });
    });
  }
  return app;
}

function acceptsGzip(encodings = ''): boolean {
  const parameters = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i.exec(encodings);
  return parameters !== null && Number(parameters[1] ?? 1) > 0;
}

function readStatic(file: string): string {
  return readFileSync(join(import.meta.dirname, 'static', file), 'utf8');
}

function addScript(name: string): string {
  const text = readStatic(`${name}.js`);
  const path = `/${name}.${fingerprint(text)}.js`;
  SCRIPTS.push({ path, type: 'text/javascript; charset=utf-8', cache: FOREVER, text });
  return path;
}

function fontFile(name: string): StaticFile {
  const text = readFileSync(join(import.meta.dirname, 'static', `${name}.woff2`));
  return { path: `/${name}.${fingerprint(text)}.woff2`, type: 'font/woff2', cache: FOREVER, text };
}

function pathOfFont(name: string): string {
  const font = FONTS.find(({ path }) => path.startsWith(`/${name}.`));
  if (font === undefined) throw new Error(`The style sheet names the font ${name}, which is not here.`);
  return font.path;
}

/** Draw the arch in a colour, as SVG of 24 by 24. */
export function archIn(colour: string): string {
  const size = 'width="24" height="24" viewBox="0 0 24 24"';
  const stroke = `fill="none" stroke="${colour}" stroke-width="2.2"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${stroke}><path d="${ARCH}"/></svg>`;
}

/** Return a short digest for an address, which changes with the content. */
export function fingerprint(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
