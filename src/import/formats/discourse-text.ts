// Posts of Discourse as Markdown.

// The text inside may not begin another quotation, so only the innermost quotations match.
const INNERMOST_QUOTATION = /\[quote(?:="?([^"\]\n]*)"?)?\]((?:(?!\[quote[=\]])[\s\S])*?)\[\/quote\]\n*/g;

// Each level costs one pass over the text.
const MOST_QUOTATION_LEVELS = 5;

/** Convert Discourse's `[quote]` to Markdown. The rest of a post is Markdown already. */
export function markdownFromDiscourse(raw: string): string {
  let text = raw.replaceAll('\r\n', '\n').trim();
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
