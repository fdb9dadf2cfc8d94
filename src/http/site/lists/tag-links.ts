// A post's tags, as links to the lists of their posts.

import { html } from 'hono/html';
import { tagsIn } from '../../../community/tag.ts';
import type { Html } from '../../pages/page.ts';
import { tagPath } from '../../pages/post-path.ts';

/** Link to each tag of a post. Empty if it has none. */
export function tagLinks(post: { tags: string }): Html | '' {
  const names = tagsIn(post);
  return names.length === 0 ? '' : html`<p class="tags">${names.map((name) => tagLink(name))}</p>`;
}

/** Link to a tag. */
export function tagLink(name: string): Html {
  return html`<a rel="tag" href="${tagPath(name)}">#${name}</a> `;
}
