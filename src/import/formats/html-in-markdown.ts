// HTML that other programs allow in Markdown. Portico shows HTML as text, so its elements become Markdown, or
// just their content.

import { outsideCode } from '../outside-code.ts';

/** Convert the HTML outside of code. Elements with unknown names stay. Takes linear time. */
export function withoutHtml(markdown: string): string {
  return outsideCode(markdown, (text) => withoutTags(withoutComments(text)));
}

function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split('<!--');
  return (
    first +
    rest
      .map((part) => {
        const end = part.indexOf('-->');
        return end === -1 ? `<!--${part}` : part.slice(end + '-->'.length);
      })
      .join('')
  );
}

function withoutTags(text: string): string {
  const addresses: (string | undefined)[] = [];
  return text.replaceAll(TAG, (tag, slash: string, name: string, attributes: string) => {
    const element = name.toLowerCase();
    if (element === 'a') {
      if (slash === '') addresses.push(addressIn(attributes, 'href'));
      const address = slash === '' ? addresses.at(-1) : addresses.pop();
      if (address === undefined) return '';
      return slash === '' ? '[' : `](${address})`;
    }
    if (element === 'img') return image(attributes);
    if (EMBEDDED.has(element)) return slash === '' ? (addressIn(attributes, 'src') ?? '') : '';
    const [before, after = before] = REPLACEMENTS.get(element) ?? [tag];
    return slash === '' ? before : after;
  });
}

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)\/?>/gi;

function image(attributes: string): string {
  const address = addressIn(attributes, 'src');
  const description = valueIn(attributes, 'alt')?.replaceAll(/[[\]\n]/g, ' ') ?? '';
  return address === undefined ? description : `![${description}](${address})`;
}

function addressIn(attributes: string, name: string): string | undefined {
  return valueIn(attributes, name)
    ?.trim()
    .replaceAll(/[\s()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function valueIn(attributes: string, name: string): string | undefined {
  const pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'/]\\S*))`, 'i');
  const [, double, single, bare] = pattern.exec(attributes) ?? [];
  return double ?? single ?? bare;
}

const EMBEDDED: ReadonlySet<string> = new Set(['iframe', 'video', 'audio', 'source', 'embed']);

const PARAGRAPH = ['\n\n'] as const;
const NOTHING = [''] as const;

/** What stands for the opening tag and, if it is another text, for the closing tag. */
const REPLACEMENTS = new Map<string, readonly [string, string?]>(
  Object.entries({
    ...each(['b', 'strong'], ['**']),
    ...each(['i', 'em', 'cite', 'var'], ['*']),
    ...each(['s', 'del', 'strike'], ['~~']),
    ...each(['code', 'kbd', 'samp', 'tt'], ['`']),
    ...each(['p', 'div', 'center', 'section', 'article', 'aside', 'header', 'footer'], PARAGRAPH),
    ...each(
      ['details', 'summary', 'figure', 'figcaption', 'table', 'tr', 'ul', 'ol', 'dl', 'dt', 'dd'],
      PARAGRAPH,
    ),
    ...each(
      ['u', 'ins', 'mark', 'sub', 'sup', 'small', 'big', 'span', 'font', 'abbr', 'ruby', 'rt', 'rp'],
      NOTHING,
    ),
    ...each(['tbody', 'thead', 'tfoot', 'caption', 'col', 'colgroup', 'picture'], NOTHING),
    ...each(['td', 'th'], [' ']),
    br: ['  \n', '  \n'],
    hr: ['\n\n---\n\n'],
    li: ['\n- ', ''],
    pre: ['\n\n```\n', '\n```\n\n'],
    blockquote: ['\n\n> ', '\n\n'],
    h1: ['\n\n# ', '\n\n'],
    h2: ['\n\n## ', '\n\n'],
    h3: ['\n\n### ', '\n\n'],
    h4: ['\n\n#### ', '\n\n'],
    h5: ['\n\n##### ', '\n\n'],
    h6: ['\n\n###### ', '\n\n'],
  }),
);

function each(
  names: readonly string[],
  replacement: readonly [string, string?],
): Record<string, readonly [string, string?]> {
  return Object.fromEntries(names.map((name) => [name, replacement]));
}
