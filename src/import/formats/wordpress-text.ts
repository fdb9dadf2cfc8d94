// Texts of WordPress, HTML of several kinds, as Markdown.

import TurndownService from 'turndown';

/** Longer HTML is not converted, since the work grows with the length. */
const MOST_HTML_CHARACTERS = 500_000;

// More deeply nested HTML is not converted either, since the work grows with the square of the depth.
const MOST_DEPTH = 100;
// These elements close by themselves or have no content, so they don't nest.
const FLAT = new Set([
  'p',
  'li',
  'a',
  'td',
  'th',
  'tr',
  'dt',
  'dd',
  'br',
  'hr',
  'img',
  'wbr',
  'col',
  'input',
  'source',
]);

const turndown = new TurndownService({
  headingStyle: 'atx',
  hr: '---',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
});
turndown.remove(['script', 'style', 'noscript', 'iframe', 'object', 'form', 'button']);
turndown.addRule('struck', {
  filter: ['del', 's'],
  replacement: (content) => (content.trim() === '' ? content : `~~${content}~~`),
});
// Markdown has no cells of several lines, so each row becomes a line.
turndown.addRule('cell', { filter: ['td', 'th'], replacement: (content) => `${content.trim()} | ` });
turndown.addRule('row', {
  filter: 'tr',
  replacement: (content) => `\n\n${content.trim().replace(/ \|$/, '')}\n\n`,
});

/** Convert HTML to Markdown. Undefined if the HTML is too long or nested too deeply. */
export function markdownFromWordPress(html: string): string | undefined {
  if (html.length > MOST_HTML_CHARACTERS || depthOf(html) > MOST_DEPTH) return undefined;
  return turndown.turndown(addParagraphs(withoutShortcodes(html.replaceAll('\r\n', '\n')))).trim();
}

// Replaces each element by its text.
const unmarked = new TurndownService();
unmarked.escape = (text) => text;
unmarked.remove(['script', 'style']);
unmarked.addRule('any', {
  filter: ({ nodeName }) => nodeName !== 'SCRIPT' && nodeName !== 'STYLE',
  replacement: (content) => content,
});

/** The text of a title without its HTML. */
export function plainTitle(title: string): string {
  const html = title.slice(0, 10_000);
  const text = depthOf(html) > MOST_DEPTH ? html.replaceAll(/<[^<>]*>/g, '') : unmarked.turndown(html);
  return text.replace(/\s+/g, ' ').trim();
}

// Removes the tags of a caption, which keeps its picture and text. Removes a gallery entirely.
function withoutShortcodes(html: string): string {
  return html.replaceAll(/\[\/?caption[^\]\n]{0,500}\]/g, '').replaceAll(/\[gallery[^\]\n]{0,500}\]/g, '');
}

// WordPress makes paragraphs from blank lines when it shows a text, unless the block editor wrote the text.
function addParagraphs(html: string): string {
  const isInBlocks = html.includes('<!-- wp:');
  return preformattedParts(html)
    .map((part, index) => {
      if (index % 2 === 1)
        return /<code[\s>]/i.test(part) ? part : part.replace(/^<pre[^>]*>/i, '<pre><code>');
      return isInBlocks ? part : withParagraphs(part);
    })
    .join('');
}

/** Split HTML into parts, of which every second part is a `<pre>` element. Takes linear time. */
function preformattedParts(html: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index } of html.matchAll(/<pre[\s>]/gi)) {
    if (index < from) continue;
    const end = html.indexOf('</pre>', index);
    if (end === -1) break;
    parts.push(html.slice(from, index), html.slice(index, end + '</pre>'.length));
    from = end + '</pre>'.length;
  }
  return [...parts, html.slice(from)];
}

function withParagraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => (BLOCK.test(paragraph) ? paragraph : `<p>${withLineBreaks(paragraph)}</p>`))
    .join('\n\n');
}

function withLineBreaks(paragraph: string): string {
  return paragraph.trim().replaceAll(/(?<!<br \/>|<br>)\n/g, '<br>\n');
}

const BLOCK =
  /<\/?(?:p|div|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|blockquote|pre|h[1-6]|hr|figure|section|article)[\s>/]/i;

/** An upper bound of how deeply elements nest: the most that are open at one place. */
function depthOf(html: string): number {
  const open = new Map<string, number>();
  let depth = 0;
  let deepest = 0;
  for (const [, slash, tag = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    const name = tag.toLowerCase();
    const openCount = open.get(name) ?? 0;
    if (FLAT.has(name) || (slash === '/' && openCount === 0)) continue;
    const step = slash === '/' ? -1 : 1;
    open.set(name, openCount + step);
    depth += step;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
