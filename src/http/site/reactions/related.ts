// The posts to read next, below a post.

import { html } from 'hono/html';
import type { Post } from '../../../community/post.ts';
import { relatedPosts } from '../../../community/related.ts';
import { bilingual } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import { memberPath, postPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

/**
 * Make the list of posts related to a published post. Empty if there are none, and in a sandbox, whose developers see
 * nothing of each other.
 */
export async function relatedList(site: SiteParts, c: PageContext, post: Post): Promise<Html | ''> {
  if (c.get('site').isSandbox) return '';
  const posts = await relatedPosts(site.community, post);
  if (posts.length === 0) return '';
  const now = site.clock();
  return html`
    <aside class="related" aria-labelledby="related-title">
      <h2 id="related-title">${words[c.get('visitor').language].title}</h2>
      <ul class="plain">
        ${posts.map(
          (one) => html`
            <li>
              <a href="${postPath(one)}">${one.title}</a>
              <span class="soft small">
                <a href="${memberPath(one.authorName)}">${one.authorName}</a> ·
                ${agoElement(one.publishedAt ?? one.updatedAt, now, c.get('visitor'))}
              </span>
            </li>`,
        )}
      </ul>
    </aside>`;
}

const words = bilingual({ title: 'Read next' }, { title: '接着读' });
