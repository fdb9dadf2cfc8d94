// What the pages of posts, members and lists say of themselves to other programs. The types are those of schema.org.

import type { Post } from '../../community/post.ts';
import type { Category } from '../../community/store.ts';
import type { User } from '../../identity/user.ts';
import { avatarPath } from '../pages/avatar-path.ts';
import { categoryPath, memberPath, postPath } from '../pages/post-path.ts';
import { iso, type SharedPicture, type Sharing } from '../pages/sharing.ts';
import type { CurrentSite, PageContext } from '../pages/visitor.ts';

/** The home page. */
export function sharingOfHome(c: PageContext, picture?: SharedPicture): Sharing {
  const { name, sentence, baseUrl } = c.get('site');
  const site = {
    ...thisSite(c.get('site')),
    name,
    ...(sentence !== '' && { description: sentence }),
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${baseUrl}/search?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  };
  return { kind: 'website', path: '/', description: sentence, picture, data: [site] };
}

/** A page that has nothing more to say than where it is. */
export function sharingOfPage(path: string, description = ''): Sharing {
  return { kind: 'website', path, description };
}

/** The beginning of a category's list. */
export function sharingOfCategory(c: PageContext, { name, slug, description }: Category): Sharing {
  const path = categoryPath(slug);
  return { ...sharingOfPage(path, description), data: [breadcrumbs(c.get('site'), [name, path])] };
}

/** A post. Undefined if not everyone can read it. */
export function sharingOfPost(c: PageContext, post: Post, picture?: SharedPicture): Sharing | undefined {
  const { status, title, excerpt, publishedAt, authorName, likeCount, commentCount } = post;
  if (status !== 'published' || publishedAt === undefined) return undefined;
  const site = c.get('site');
  const path = postPath(post);
  const url = site.baseUrl + path;
  const author = { name: authorName, path: memberPath(authorName) };
  const updatedAt = Math.max(publishedAt, post.updatedAt);
  const category = [post.categoryName, categoryPath(post.categorySlug)] as const;
  const article = {
    '@type': 'BlogPosting',
    '@id': url,
    url,
    headline: title,
    description: excerpt,
    datePublished: iso(publishedAt),
    dateModified: iso(updatedAt),
    author: { '@type': 'Person', name: authorName, url: site.baseUrl + author.path },
    articleSection: post.categoryName,
    commentCount,
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/LikeAction',
      userInteractionCount: likeCount,
    },
    isPartOf: thisSite(site),
    ...(picture !== undefined && { image: site.baseUrl + picture.path }),
  };
  return {
    kind: 'article',
    path,
    description: excerpt,
    picture,
    author,
    publishedAt,
    updatedAt,
    data: [article, breadcrumbs(site, category, [title, path])],
  };
}

/** A member's page. `links` are the member's own pages elsewhere. */
export function sharingOfMember(
  c: PageContext,
  user: User,
  links: readonly string[],
  picture?: SharedPicture,
): Sharing {
  const { baseUrl } = c.get('site');
  const path = memberPath(user.username);
  const person = {
    '@type': 'Person',
    '@id': baseUrl + path,
    name: user.username,
    url: baseUrl + path,
    image: baseUrl + avatarPath(user.id, user.avatar),
    ...(user.bio !== '' && { description: user.bio }),
    ...(links.length > 0 && { sameAs: links }),
  };
  const profile = { '@type': 'ProfilePage', dateCreated: iso(user.createdAt), mainEntity: person };
  const author = { name: user.username, path };
  return { kind: 'profile', path, description: user.bio, picture, author, data: [profile] };
}

function thisSite({ baseUrl }: CurrentSite): object {
  return { '@type': 'WebSite', '@id': `${baseUrl}/`, url: `${baseUrl}/` };
}

type Step = readonly [name: string, path: string];

function breadcrumbs({ name, baseUrl }: CurrentSite, ...steps: Step[]): object {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [[name, '/'] as const, ...steps].map(([step, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: step,
      item: baseUrl + path,
    })),
  };
}
