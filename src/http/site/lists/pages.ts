// The list of the pages on which everyone reads: lists, posts, members, feeds, and the files of these pages.

import { everyone } from '../../pages/guards.ts';
import { NUMBER } from '../../pages/numbers.ts';
import { belowPost, POST_PATH } from '../../pages/post-path.ts';
import type { ListedPage } from '../../pages/serve-pages.ts';
import { file, get, type Handler, redirect } from '../../pages/serve-pages.ts';
import { memberCard, postCard, siteCard } from '../cards.ts';
import { clientLogoFile } from '../developers/logo.ts';
import { chosenAvatar, drawnAvatar } from '../members/avatar.ts';
import { memberPage } from '../members/member.ts';
import { pathOfMember } from '../members/mentioned.ts';
import { textPicture } from '../posts/picture.ts';
import { postPage } from '../posts/post.ts';
import type { SiteParts } from '../site-parts.ts';
import { categoriesPage, categoryPage, popularInCategoryPage, popularPage } from './browsing.ts';
import { commentsOnPostFeed, newestCommentsFeed } from './comment-feeds.ts';
import { homePage } from './home.ts';
import { categoryFeed, memberFeed, newestFeed, popularFeed, tagFeed } from './post-feeds.ts';
import { searchPage } from './search.ts';
import {
  ROBOTS_TXT,
  robotsTxt,
  SITEMAP,
  sitemap,
  sitemapOfPages,
  sitemapOfPosts,
  sitemapOfTags,
} from './sitemap.ts';
import { popularWithTagPage, TAGS_PATH, tagPage, tagsPage } from './tags.ts';

type Section = readonly ListedPage<SiteParts>[];

/** All of them. */
export const READING: Section = [
  get('/', everyone, homePage),
  get('/popular', everyone, popularPage),
  get('/categories', everyone, categoriesPage),
  get('/categories/:slug', everyone, categoryPage),
  get(TAGS_PATH, everyone, tagsPage),
  get(`${TAGS_PATH}/:tag`, everyone, tagPage),
  get(`${TAGS_PATH}/:tag/popular`, everyone, popularWithTagPage),
  get('/categories/:slug/popular', everyone, popularInCategoryPage),
  get('/search', everyone, searchPage),
  get('/u/:username', everyone, memberPage),
  redirect(`/members/:id${NUMBER}`, pathOfMember),
  get(POST_PATH, everyone, postPage),
  file(ROBOTS_TXT, everyone, robotsTxt),
  file(SITEMAP, everyone, sitemap),
  file('/sitemap/pages.xml', everyone, sitemapOfPages),
  file('/sitemap/:file{posts-[1-9][0-9]{0,9}\\.xml}', everyone, sitemapOfPosts),
  file('/sitemap/:file{tags-[1-9][0-9]{0,9}\\.xml}', everyone, sitemapOfTags),
  ...feedFiles('', newestFeed),
  ...feedFiles('/popular', popularFeed),
  ...feedFiles('/categories/:slug', categoryFeed),
  ...feedFiles(`${TAGS_PATH}/:tag`, tagFeed),
  ...feedFiles('/u/:username', memberFeed),
  ...feedFiles('/comments', newestCommentsFeed),
  ...feedFiles(belowPost('comments'), commentsOnPostFeed),
  file('/avatars/:file{[1-9][0-9]{0,15}\\.svg}', everyone, drawnAvatar),
  file('/avatars/:file{[1-9][0-9]{0,15}-[0-9a-f]{12}\\.webp}', everyone, chosenAvatar),
  file('/logos/:file{[0-9a-f]{32}\\.png}', everyone, clientLogoFile),
  file('/cards/posts/:file{[1-9][0-9]{0,15}-[0-9a-f]{12}\\.png}', everyone, postCard),
  file('/cards/members/:file{[1-9][0-9]{0,15}-[0-9a-f]{12}\\.png}', everyone, memberCard),
  file('/cards/:file{site-[0-9a-f]{12}\\.png}', everyone, siteCard),
  file(
    '/pictures/:file{[0-9a-f]{32}-[1-9][0-9]{0,3}x[1-9][0-9]{0,3}(?:-[1-9][0-9]{2,3})?\\.webp}',
    everyone,
    textPicture,
  ),
];

function feedFiles(path: string, answer: Handler<SiteParts, typeof everyone>): Section {
  return ['atom', 'json'].map((format) => file(`${path}/feed.${format}`, everyone, answer));
}
