// The tags, for operators and moderators: those that are used most, the hidden ones, or those whose names begin with a
// text.

import { html } from 'hono/html';
import { MOST_TAG_CHARACTERS, type Tag, tagNamed } from '../../../community/tag.ts';
import { MOST_CHANGED_TAGS } from '../../../community/tag-change.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { countOf } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { operatorPage, operatorTitle } from './page.ts';

export const TAGS_PATH = '/operator/tags';

const MOST_LISTED = 50;

/** The path of the page about a tag. */
export function manageTagPath(name: string): string {
  return `${TAGS_PATH}/${encodeURIComponent(name)}`;
}

/** List the tags that the text in the query finds, or without one the most used and the hidden ones. */
export async function tagsPage({ community: { reads } }: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, TAGS_PATH);
  const text = [...(c.req.query('name') ?? '').trim()].slice(0, MOST_TAG_CHARACTERS + 1).join('');
  const name = tagNamed(text);
  const tags = name === undefined ? [] : await reads.tagsBeginning(name, MOST_LISTED);
  const found = text === '' ? await reads.mostUsedTags(MOST_LISTED) : tags;
  return operatorPage(
    c,
    TAGS_PATH,
    { title },
    html`
      <h1>${title}</h1>
      <p class="soft">${t.explanation}</p>
      ${searchForm(text, language)}
      ${found.length === 0 ? html`<p class="empty">${t.none}</p>` : tagTable(found, language)}
      ${text === '' && hiddenSection(await hiddenNames({ reads }), language)}`,
  );
}

function searchForm(text: string, language: Language): Html {
  const t = words[language];
  return html`
    <form method="get" action="${TAGS_PATH}" role="search" class="find">
      <div class="field">
        <label for="name">${t.begins}</label>
        <input type="search" id="name" name="name" value="${text}" maxlength="${MOST_TAG_CHARACTERS + 1}"
          autocomplete="off" autocapitalize="none" spellcheck="false">
      </div>
      <button>${t.find}</button>
    </form>`;
}

function tagTable(tags: readonly Tag[], language: Language): Html {
  const t = words[language];
  return table(
    [t.tag, t.posts],
    tags.map(
      ({ name, postCount, hiddenAt }) => html`
        <tr>
          <th scope="row">
            <a href="${manageTagPath(name)}">#${name}</a>
            ${hiddenAt !== undefined && html`<span class="badge">${t.hidden}</span>`}
          </th>
          <td data-label="${t.posts}">${countOf(postCount)}</td>
        </tr>`,
    ),
  );
}

async function hiddenNames({ reads }: Pick<SiteParts['community'], 'reads'>): Promise<string[]> {
  const changed = await reads.changedTags(MOST_CHANGED_TAGS);
  return changed.flatMap(({ name, shownAs }) => (shownAs === undefined ? name : [])).toSorted();
}

function hiddenSection(names: readonly string[], language: Language): Html | '' {
  if (names.length === 0) return '';
  const items = names.map((name) => html`<li><a href="${manageTagPath(name)}">#${name}</a></li>`);
  return html`
    <section>
      <h2>${words[language].hiddenTags}</h2>
      <ul class="plain tag-list">${items}</ul>
    </section>`;
}

const words = bilingual(
  {
    explanation: 'Rename a tag, merge it into another one, or hide it. Its posts stay as they are.',
    begins: 'Name begins with',
    find: 'Find tags',
    none: 'No tags found.',
    tag: 'Tag',
    posts: 'Posts',
    hidden: 'hidden',
    hiddenTags: 'Hidden tags',
  },
  {
    explanation: '可以为标签更名、将它并入其他标签，或把它隐藏。文章本身不受影响。',
    begins: '名称开头',
    find: '查找标签',
    none: '没有找到标签。',
    tag: '标签',
    posts: '文章',
    hidden: '已隐藏',
    hiddenTags: '已隐藏的标签',
  },
);
