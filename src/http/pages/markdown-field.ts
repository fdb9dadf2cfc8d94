// A field for a text in Markdown, with a toolbar over it. The scripts `toolbar.js` and `mentions.js` make the toolbar
// and the suggestions of members work; without them the toolbar is not shown.

import { html, raw } from 'hono/html';
import { type FieldText, textField } from './fields.ts';
import { bilingual, type Language } from './language.ts';
import type { Html } from './page.ts';

interface Tool {
  name: keyof typeof words.en.tools;
  /** What the button shows: letters, or the path of a drawing. */
  sign: Html;
  /** The key that does the same, together with Ctrl or Command. */
  key?: string;
  /** Only for the text of a post. */
  isForPosts?: true;
}

/** In groups, as the toolbar shows them. A button that `toolbar.js` doesn't know is for another script. */
const TOOLS: readonly (readonly Tool[])[] = [
  [
    { name: 'bold', sign: html`<b>B</b>`, key: 'B' },
    { name: 'italic', sign: html`<i>I</i>`, key: 'I' },
    { name: 'heading', sign: html`<b>H</b>`, isForPosts: true },
  ],
  [
    {
      name: 'link',
      sign: drawing(
        'M10 14a4.5 4.5 0 0 0 6 0l3-3a4.5 4.5 0 0 0-6-6l-1 1M14 10a4.5 4.5 0 0 0-6 0l-3 3a4.5 4.5 0 0 0 6 6l1-1',
      ),
      key: 'K',
    },
    { name: 'mention', sign: html`<span>@</span>` },
  ],
  [
    { name: 'list', sign: drawing('M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01') },
    { name: 'quote', sign: drawing('M5 5v14M10 8h9M10 12h9M10 16h5') },
    { name: 'code', sign: drawing('m8 7-5 5 5 5M16 7l5 5-5 5') },
  ],
];

/** A labelled text in Markdown. */
export function markdownField(
  field: FieldText & { value: string; required?: boolean },
  language: Language,
  kind: 'post' | 'comment',
): Html {
  const t = words[language];
  const attributes = html` data-mentions="${t.suggestions}" data-none="${t.none}"`;
  return textField({ ...field, attributes, above: toolbar(field.name, language, kind) });
}

function toolbar(field: string, language: Language, kind: 'post' | 'comment'): Html {
  const groups = TOOLS.map((tools) => tools.filter(({ isForPosts }) => kind === 'post' || !isForPosts));
  return html`
    <div class="toolbar" role="toolbar" aria-label="${words[language].toolbar}" aria-controls="${field}" hidden>
      ${groups.map((tools) => html`<span class="group">${tools.map((tool) => button(tool, language))}</span>`)}
    </div>`;
}

function button({ name, sign, key }: Tool, language: Language): Html {
  const title = words[language].tools[name];
  const shortcut =
    key && html` aria-keyshortcuts="Control+${key} Meta+${key}" data-key="${key.toLowerCase()}"`;
  const tooltip = key === undefined ? title : `${title} (Ctrl+${key})`;
  return html`
    <button type="button" data-tool="${name}" aria-label="${title}" title="${tooltip}"${shortcut}>${sign}</button>`;
}

function drawing(path: string): Html {
  return html`${raw(`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`)}`;
}

const words = bilingual(
  {
    toolbar: 'Formatting',
    tools: {
      bold: 'Bold',
      italic: 'Italic',
      heading: 'Heading',
      link: 'Link',
      mention: 'Mention a member',
      list: 'List',
      quote: 'Quote',
      code: 'Code',
    },
    suggestions: 'Members',
    none: 'No member’s name begins like this.',
  },
  {
    toolbar: '格式',
    tools: {
      bold: '粗体',
      italic: '斜体',
      heading: '标题',
      link: '链接',
      mention: '提及成员',
      list: '列表',
      quote: '引用',
      code: '代码',
    },
    suggestions: '成员',
    none: '没有以此开头的成员。',
  },
);
