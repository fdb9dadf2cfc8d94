// Addresses that contents had before they were imported, and the pages that have them now.

/** What has an old address: one field is set, or none if nobody can read the page any more. */
export interface OldAddressTarget {
  address: string;
  postId: number | undefined;
  commentId: number | undefined;
  username: string | undefined;
  categorySlug: string | undefined;
}

export interface OldAddressReads {
  findOldAddress(address: string): Promise<OldAddressTarget | undefined>;
  /** The next ones in the order of their addresses. */
  oldAddresses(after: string, limit: number): Promise<OldAddressTarget[]>;
}

// PostgreSQL's index takes no long values.
const MOST_ADDRESS_CHARACTERS = 500;

/**
 * Bring a path, or an address with a path, into the form in which it is stored: decoded, in lower case, with its
 * query and without a slash at the end. Undefined if it can't be an old address.
 */
export function storedAddress(text: string): string | undefined {
  if (!URL.canParse(text, 'http://here')) return undefined;
  const { pathname, search } = new URL(text, 'http://here');
  // Without the lookbehind, the search would begin anew at every slash of a long run.
  const path =
    decoded(pathname)
      .toLowerCase()
      .replace(/(?<!\/)\/+$/, '') || '/';
  const address = path + decoded(search).toLowerCase();
  const isUsable = address.length <= MOST_ADDRESS_CHARACTERS && !/\p{Cc}/u.test(address);
  return isUsable && address !== '/' ? address : undefined;
}

/** Return the path of the page that has this address now, if somebody asks for it here. */
export async function pathOfOldAddress(reads: OldAddressReads, asked: string): Promise<string | undefined> {
  const address = storedAddress(asked);
  if (address === undefined) return undefined;
  const [path = ''] = address.split('?');
  for (const candidate of new Set([address, path, ...discourseAddresses(path)])) {
    const target = await reads.findOldAddress(candidate);
    if (target !== undefined) return pathOfTarget(target);
  }
  return undefined;
}

/** Return a path of this site, never an address elsewhere. */
export function pathOfTarget(target: OldAddressTarget): string | undefined {
  const { postId, commentId, username, categorySlug } = target;
  if (postId !== undefined) return `/posts/${postId}`;
  if (commentId !== undefined) return `/comments/${commentId}`;
  if (username !== undefined) return `/u/${encodeURIComponent(username)}`;
  return categorySlug === undefined ? undefined : `/categories/${encodeURIComponent(categorySlug)}`;
}

// Discourse ignores the titles in its addresses, so they are stored without: /t/crust/42/3 is /t/42/3. A comment
// that was not imported leads to its topic. Read in discourse/discourse, config/routes.rb.
function discourseAddresses(path: string): string[] {
  const [, topic, post] = /^\/t\/(?:(?!\d+(?:\/|$))[^/]+\/)?(\d+)(?:\/(\d+))?(?:\/|$)/.exec(path) ?? [];
  if (topic !== undefined) return [...(post === undefined ? [] : [`/t/${topic}/${post}`]), `/t/${topic}`];
  const [, category] = /^\/c\/(?:[^/]+\/)*?(\d+)(?:\/|$)/.exec(path) ?? [];
  return category === undefined ? [] : [`/c/${category}`];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
