// The headings of a post: each has an address, and a long post begins with a list of them.

import { html, raw } from 'hono/html';
import { slugOfTitle } from '../../../community/slug.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';

interface Heading {
  /** From 2, below the title of the post. */
  level: number;
  id: string;
  /** As HTML without elements. */
  text: string;
}

// The headings beyond have no address. Those without text count, too: a post can have 50,000, which each view looks at.
const MOST_HEADINGS = 200;

// An id has 60 characters at most.
const LONGEST_READ = 200;

/** Fewer than these are seen at a glance. */
const FEWEST_LISTED = 4;

/** Find the headings in HTML that was rendered from Markdown, and give each an id and a link to itself. */
export function withHeadings(rendered: string): { body: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const uses = new Map<string, number>();
  let body = '';
  let end = 0;
  for (const found of rendered.matchAll(/<h([2-6])>([\s\S]*?)<\/h\1>/g).take(MOST_HEADINGS)) {
    const [whole, level, content = ''] = found;
    const text = textOf(content);
    if (text === '') continue;
    const id = freeId(idOf(text), uses);
    headings.push({ level: Number(level), id, text });
    // A link can't contain another.
    const inner = content.includes('<a ') ? content : `<a class="anchor" href="#${id}">${content}</a>`;
    body += `${rendered.slice(end, found.index)}<h${level} id="${id}">${inner}</h${level}>`;
    end = found.index + whole.length;
  }
  return { body: body + rendered.slice(end), headings };
}

/** List the headings of the two upper levels. Empty for a post with few of them. */
export function contentsOf(headings: readonly Heading[], language: Language): Html | '' {
  const listed = headings.filter(({ level }) => level <= 3);
  if (listed.length < FEWEST_LISTED) return '';
  return html`
    <nav class="contents" aria-label="${words[language].contents}">
      <details>
        <summary>${words[language].contents}</summary>
        <ol class="plain">
          ${listed.map(
            ({ level, id, text }) => html`
              <li${level === 3 && html` class="lower"`}><a href="#${id}">${raw(text)}</a></li>`,
          )}
        </ol>
      </details>
    </nav>`;
}

// The numbers of footnotes are no words of the heading.
function textOf(content: string): string {
  return content.replaceAll(/<sup[^<>]*><a[^<>]*>[^<>]*<\/a><\/sup>|<[^<>]*>/g, '').trim();
}

// The first letters keep it apart from the ids of the page itself.
function idOf(text: string): string {
  return `s-${slugOfTitle(text.slice(0, LONGEST_READ).replaceAll(/&\w+;/g, ' '))}`;
}

function freeId(id: string, uses: Map<string, number>): string {
  let number = (uses.get(id) ?? 0) + 1;
  let free = number === 1 ? id : `${id}-${number}`;
  while (free !== id && uses.has(free)) {
    number += 1;
    free = `${id}-${number}`;
  }
  if (free !== id) uses.set(free, 1);
  uses.set(id, number);
  return free;
}

const words = bilingual({ contents: 'Contents' }, { contents: '目录' });
