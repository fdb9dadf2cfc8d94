// The port of src/community in SQL, combined from its tables. A transaction locks the post first, then its comments or
// likes, then tags by their ids, and members last: see `post-lock.ts`.

import type { CommunityStore } from '../../community/store.ts';
import type { Database } from '../engine/database.ts';
import { attemptRows } from '../identity/attempts.ts';
import { approvalRows } from './approvals.ts';
import { bookmarkRows } from './bookmarks.ts';
import { categoryRows } from './categories.ts';
import { commentLists } from './comment-lists.ts';
import { commentRows } from './comments.ts';
import { feeds } from './feeds.ts';
import { followingRows } from './following.ts';
import { likeRows } from './likes.ts';
import { listedPosts } from './listed-posts.ts';
import { moderationRows } from './moderation.ts';
import { newsRows } from './news.ts';
import { notificationRows } from './notifications.ts';
import { oldAddressRows } from './old-addresses.ts';
import { ownDataRows } from './own-data.ts';
import { picturePlaces } from './picture-places.ts';
import { pictureRows } from './pictures.ts';
import { postLists } from './post-lists.ts';
import { postRows } from './posts.ts';
import { relatedRows } from './related.ts';
import { reportRows } from './reports.ts';
import { search } from './search.ts';
import { tagChangeRows } from './tag-changes.ts';
import { tagRows } from './tags.ts';
import { textRows } from './texts.ts';
import { viewRows } from './views.ts';

export function communityStore(database: Database): CommunityStore {
  return {
    ...postRows(database),
    ...postLists(database),
    ...listedPosts(database),
    ...feeds(database),
    ...search(database),
    ...categoryRows(database),
    ...commentRows(database),
    ...commentLists(database),
    ...likeRows(database),
    ...relatedRows(database),
    ...bookmarkRows(database),
    ...followingRows(database),
    ...viewRows(database),
    ...newsRows(database),
    ...notificationRows(database),
    ...moderationRows(database),
    ...attemptRows(database),
    ...reportRows(database),
    ...oldAddressRows(database),
    ...approvalRows(database),
    ...ownDataRows(database),
    ...tagRows(database),
    ...tagChangeRows(database),
    ...textRows(database),
    ...pictureRows(database),
    ...picturePlaces(database),
  };
}
