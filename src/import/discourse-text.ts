// What members wrote in Discourse, as Markdown that is understood here.

/** Discourse's quotations become those of Markdown; all else is Markdown already. */
export function markdownOfDiscourse(raw: string): string {
  let text = raw.replaceAll('\r\n', '\n').trim();
  // From the inside: each round turns those that hold no other one. A bound on depth is one on the work.
  for (let depth = 0; depth < 5; depth += 1) {
    const next = text.replaceAll(INNERMOST_QUOTATION, (_, attributes: string | undefined, quoted: string) => {
      const [who] = (attributes ?? '').split(',');
      const name = who?.trim() ?? '';
      const lines = [...(name === '' ? [] : [`**${name}:**`, '']), ...quoted.trim().split('\n')];
      return `\n${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n`;
    });
    if (next === text) break;
    text = next;
  }
  return text.trim();
}

const INNERMOST_QUOTATION = /\[quote(?:="?([^"\]\n]*)"?)?\]((?:(?!\[quote[=\]])[\s\S])*?)\[\/quote\]\n*/g;
