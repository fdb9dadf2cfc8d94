// Files that are the same for every visitor: the style sheet, the fonts, the scripts and the icon.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';

/** For an address that has a fingerprint of the content. */
export const FOREVER = 'public, max-age=31536000, immutable';
const FOR_A_DAY = 'public, max-age=86400';

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

const EDITOR = readStatic('editor.js');
/** The script that saves and previews a draft while the author writes. */
export const EDITOR_SCRIPT = `/editor.${fingerprint(EDITOR)}.js`;

const COPY = readStatic('copy.js');
/** The script of buttons that copy a text. */
export const COPY_SCRIPT = `/copy.${fingerprint(COPY)}.js`;

const PASSKEY = readStatic('passkey.js');
/** The script that asks the browser for a passkey. */
export const PASSKEY_SCRIPT = `/passkey.${fingerprint(PASSKEY)}.js`;
const CALLBACKS = readStatic('callbacks.js');
/** The script that checks callback addresses while they are typed. */
export const CALLBACKS_SCRIPT = `/callbacks.${fingerprint(CALLBACKS)}.js`;
const REQUESTS = readStatic('requests.js');
/** The script that shows new requests of an application. */
export const REQUESTS_SCRIPT = `/requests.${fingerprint(REQUESTS)}.js`;
const EXPLORER = readStatic('explorer.js');
/** The script that sends the requests of the API reference. */
export const EXPLORER_SCRIPT = `/explorer.${fingerprint(EXPLORER)}.js`;

const KEYS = readStatic('keys.js');
/** The script of the keyboard's shortcuts. */
export const KEYS_SCRIPT = `/keys.${fingerprint(KEYS)}.js`;

const LIKE = readStatic('like.js');
/** The script that likes a post in place. */
export const LIKE_SCRIPT = `/like.${fingerprint(LIKE)}.js`;

const FORM_POST = "document.getElementById('answer').submit();\n";
/** The script of the page that posts an answer to an application. It submits the form. */
export const FORM_POST_SCRIPT = '/form-post.js';

/** The site's logo, as an SVG path. */
export const ARCH = 'M4 21V11a8 8 0 0 1 16 0v10M9 21v-9a3 3 0 0 1 6 0v9M2 21h20';
const ICON = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#b4552d" stroke-width="2.2">',
  `<path d="${ARCH}"/></svg>`,
].join('');

const FILES = [
  { path: STYLE_PATH, type: 'text/css; charset=utf-8', cache: FOREVER, text: STYLE },
  { path: EDITOR_SCRIPT, type: 'text/javascript; charset=utf-8', cache: FOREVER, text: EDITOR },
  { path: COPY_SCRIPT, type: 'text/javascript; charset=utf-8', cache: FOREVER, text: COPY },
  { path: PASSKEY_SCRIPT, type: 'text/javascript; charset=utf-8', cache: FOREVER, text: PASSKEY },
  { path: CALLBACKS_SCRIPT, type: 'text/javascript; charset=utf-8', cache: FOREVER, text: CALLBACKS },
  { path: REQUESTS_SCRIPT, type: 'text/javascript; charset=utf-8', cache: FOREVER, text: REQUESTS },
  { path: EXPLORER_SCRIPT, type: 'text/javascript; charset=utf-8', cache: FOREVER, text: EXPLORER },
  { path: KEYS_SCRIPT, type: 'text/javascript; charset=utf-8', cache: FOREVER, text: KEYS },
  { path: LIKE_SCRIPT, type: 'text/javascript; charset=utf-8', cache: FOREVER, text: LIKE },
  { path: FORM_POST_SCRIPT, type: 'text/javascript; charset=utf-8', cache: FOR_A_DAY, text: FORM_POST },
  { path: '/icon.svg', type: 'image/svg+xml; charset=utf-8', cache: FOR_A_DAY, text: ICON },
  ...FONTS,
];

/** Serve the files. */
export function staticFiles(): Hono {
  const app = new Hono();
  for (const { path, type, cache, text } of FILES) {
    app.get(path, (c) => c.body(text, 200, { 'Content-Type': type, 'Cache-Control': cache }));
  }
  return app;
}

function readStatic(file: string): string {
  return readFileSync(join(import.meta.dirname, 'static', file), 'utf8');
}

function fontFile(name: string) {
  const text = readFileSync(join(import.meta.dirname, 'static', `${name}.woff2`));
  return { path: `/${name}.${fingerprint(text)}.woff2`, type: 'font/woff2', cache: FOREVER, text };
}

function pathOfFont(name: string): string {
  const font = FONTS.find(({ path }) => path.startsWith(`/${name}.`));
  if (font === undefined) throw new Error(`The style sheet names the font ${name}, which is not here.`);
  return font.path;
}

/** Return a short digest for an address, which changes with the content. */
export function fingerprint(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
