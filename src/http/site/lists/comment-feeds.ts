// The feeds of comments: the newest of the community, and those on a post.

import type { CommentInFeed } from '../../../community/comment-store.ts';
import type { Community } from '../../../community/community.ts';
import { postFor } from '../../../community/post.ts';
import { htmlOf } from '../../../community/rendering.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import { memberPath, postPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import type { FeedEntry } from './feed.ts';
import { answerFeed, type EntryTexts } from './feed-answer.ts';
import { FEED_PAGE_SIZE } from './frame.ts';
import { feedAt, titled } from './post-feeds.ts';

/** Answer with the feed of the newest comments. */
export async function newestCommentsFeed(site: SiteParts, c: PageContext): Promise<Response> {
  const comments = await site.community.reads.newestComments(FEED_PAGE_SIZE);
  const title = titled(c, words[c.get('site').language].comments);
  return commentFeed(
    site,
    c,
    { ...feedAt(c, { title, path: '/comments' }), page: `${c.get('site').baseUrl}/` },
    comments,
  );
}

/** Answer with the feed of the comments on the post in the path. */
export async function commentsOnPostFeed(site: SiteParts, c: PageContext): Promise<Response> {
  const post = await postFor(site.community, undefined, idIn(c));
  if (post === undefined) return notFoundPage(c);
  const comments = await site.community.reads.newestCommentsOn(post.id, FEED_PAGE_SIZE);
  const title = titled(c, words[c.get('site').language].commentsOn(post.title));
  const page = `${c.get('site').baseUrl}${postPath(post)}`;
  return commentFeed(
    site,
    c,
    { ...feedAt(c, { title, path: `/posts/${post.id}/comments` }), page },
    comments,
  );
}

function commentFeed(
  site: SiteParts,
  c: PageContext,
  feed: ReturnType<typeof feedAt>,
  comments: readonly CommentInFeed[],
): Promise<Response> {
  const { baseUrl } = c.get('site');
  const entries = comments.map((comment) => entryOf(comment, baseUrl));
  const updatedAt = Math.max(0, ...entries.map((entry) => entry.updatedAt));
  return answerFeed(c, { ...feed, updatedAt }, entries, textsOf(site.community, comments));
}

function textsOf(community: Community, listed: readonly CommentInFeed[]): EntryTexts {
  return {
    sizes: async () => new Map(listed.map(({ id, bytes }) => [id, bytes])),
    async htmlOf(ids) {
      const texts = new Map<number, string>();
      for (const comment of await community.reads.comments(ids)) {
        // It may have been removed since the list was read.
        if (comment.status !== 'published') continue;
        texts.set(comment.id, await htmlOf(community, 'comment', comment));
      }
      return texts;
    },
  };
}

function entryOf(
  { id, postTitle, authorName, createdAt, editedAt }: CommentInFeed,
  baseUrl: string,
): FeedEntry {
  const address = `${baseUrl}/comments/${id}`;
  return {
    recordId: id,
    id: address,
    address,
    title: `${authorName}: ${postTitle}`,
    author: authorName,
    authorAddress: baseUrl + memberPath(authorName),
    summary: undefined,
    publishedAt: createdAt,
    updatedAt: editedAt ?? createdAt,
    categories: [],
  };
}

const words = bilingual(
  { comments: 'Comments', commentsOn: (title: string) => `Comments on “${title}”` },
  { comments: '评论', commentsOn: (title) => `《${title}》的评论` },
);
