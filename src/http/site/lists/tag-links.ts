// A post's tags, as links to the lists of their posts.

import { html } from 'hono/html';
import { type ShownNames, shownTagsOf } from '../../../community/tag.ts';
import type { Html } from '../../pages/page.ts';
import { tagPath } from '../../pages/post-path.ts';

/** Link to each tag of a post that is shown. Empty if there is none. */
export function tagLinks(post: { tags: string }, shown: ShownNames): Html | '' {
  const names = shownTagsOf(post, shown);
  return names.length === 0 ? '' : html`<p class="tags">${names.map((name) => tagLink(name))}</p>`;
}

/** Link to a tag. */
export function tagLink(name: string): Html {
  return html`<a rel="tag" href="${tagPath(name)}">#${name}</a> `;
}
