// Finding posts.

import { matchingPosts } from '../../community/post-list.ts';
import type { ListedPost } from '../../community/post-list-store.ts';
import { Refusal } from '../../lib/refusal.ts';
import { command } from '../command.ts';
import { jsonRecord, LIST_OPTIONS, type Listing, printList } from '../listing.ts';
import { findAccount, withPortico } from '../portico.ts';
import { sheet } from '../sheet.ts';

const iso = (moment: number | undefined) =>
  moment === undefined ? undefined : new Date(moment).toISOString();

const FIELDS: Listing<ListedPost>['fields'] = {
  id: ({ id }) => id,
  author: ({ authorName }) => authorName,
  category: ({ categoryName }) => categoryName,
  status: ({ status }) => status,
  title: ({ title }) => title,
  published_at: ({ publishedAt }) => iso(publishedAt),
  updated_at: ({ updatedAt }) => iso(updatedAt),
  removed_at: ({ removedAt }) => iso(removedAt),
  likes: ({ likeCount }) => likeCount,
  comments: ({ commentCount }) => commentCount,
  views: ({ viewCount }) => viewCount,
};

const list = command({
  name: 'post list',
  summary: 'list posts, the oldest first',
  details: 'Lists posts that are or were published. Drafts are not listed: only their authors see them.',
  options: {
    username: { kind: 'text', value: 'NAME', summary: 'only posts of this member' },
    status: {
      kind: 'text',
      value: 'STATUS',
      summary: 'only posts with this status',
      choices: ['published', 'removed'],
    },
    category: { kind: 'text', value: 'NAME', summary: 'only posts in this category' },
    search: { kind: 'text', value: 'TEXT', summary: 'only posts with this text in the title' },
    ...LIST_OPTIONS,
  },
  async run({ username, status, category, search, csv }, context) {
    return withPortico(context, async (portico) => {
      const author = username === undefined ? undefined : await findAccount(portico, username);
      const records = matchingPosts(portico.community, { userId: author?.id, status, category, search });
      const listing = { name: 'posts', records, fields: FIELDS, toLine, empty: 'There are no such posts.' };
      return printList(context, listing, { csv });
    });
  },
});

const show = command({
  name: 'post show',
  summary: 'show a post with its text',
  options: {
    id: { kind: 'integer', value: 'N', summary: 'the number in its address', required: true },
  },
  async run({ id }, context) {
    return withPortico(context, async ({ community, config }) => {
      const post = await community.reads.findListedPost(id);
      if (post === undefined)
        throw new Refusal('post_not_found', `There is no published or removed post ${id}.`);
      const json = { ...jsonRecord(FIELDS, post), url: `${config.baseUrl}/posts/${id}` };
      return { json: { ...json, body: post.body }, text: `${sheet(json)}\n\n${post.body}` };
    });
  },
});

export const postListCommands = [list, show];

function toLine({ id, status, authorName, title }: ListedPost): string {
  return `${id}  ${status.padEnd('published'.length)}  ${authorName}  ${title}`;
}
