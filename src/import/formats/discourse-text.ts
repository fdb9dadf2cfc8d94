// Posts of Discourse as Markdown.

import { withoutHtml } from './html-in-markdown.ts';

// The text inside may not begin another quotation, so only the innermost quotations match. Attributes without a bound
// would take quadratic time.
const INNERMOST_QUOTATION =
  /\[quote(?:="?([^"\]\n]{0,300})"?)?\]((?:(?!\[quote[=\]])[\s\S])*?)\[\/quote\]\n*/g;

// Each level costs one pass over the text.
const MOST_QUOTATION_LEVELS = 5;

// An uploaded file, which the export doesn't contain. Its path on the forum was read in discourse/discourse, in
// Upload.sha1_from_short_path and UploadsController#show_short.
const UPLOAD = /(!?)\[([^[\]\n|]{0,300})(?:\|[^[\]\n]{0,100})?\]\(upload:\/\/([^()\s]{0,300})\)/g;

/**
 * Convert Discourse's `[quote]` and HTML to Markdown. Uploads become their names, but pictures refer to the forum if
 * its address is known. The rest of a post is Markdown already.
 */
export function markdownFromDiscourse(raw: string, site?: string): string {
  const markdown = withoutHtml(raw.replaceAll('\r\n', '\n').trim());
  let text = markdown.replaceAll(UPLOAD, (_, mark: string, name: string, file: string) =>
    mark !== '' && site !== undefined && /^[a-z0-9]+(?:\.[a-z0-9]+)?$/i.test(file)
      ? `![${name}](${site}/uploads/short-url/${file})`
      : name,
  );
  for (let level = 0; level < MOST_QUOTATION_LEVELS; level += 1) {
    const next = text.replaceAll(INNERMOST_QUOTATION, (_, attributes: string | undefined, quoted: string) =>
      quotation(attributes, quoted),
    );
    if (next === text) break;
    text = next;
  }
  return text.trim();
}

function quotation(attributes = '', quoted: string): string {
  const name = (attributes.split(',')[0] ?? '').trim();
  const lines = quoted.trim().split('\n');
  if (name !== '') lines.unshift(`**${name}:**`, '');
  return `\n${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n`;
}
