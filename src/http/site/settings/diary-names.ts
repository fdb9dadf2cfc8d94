// What the lines of the access diary mean: who read, and which fields the answers held.

import { memoize } from '../../../lib/remember.ts';
import type { DiaryLine } from '../../../oauth/access-diary-store.ts';
import { POST_FIELDS, PROFILE_FIELDS, USERINFO_CLAIMS } from '../../representations.ts';
import type { SiteParts } from '../site-parts.ts';

const MOST_NAMES = 1000;

/** Names a line's application or API token. */
export type DiaryNames = (line: Pick<DiaryLine, 'clientId' | 'source'>) => Promise<string>;

/** Make the function that names a line's application or API token. The name of a token that is gone is empty. */
export async function diaryNames({ oauth }: SiteParts, userId: number): Promise<DiaryNames> {
  const tokens = new Map(
    (await oauth.reads.personalTokensOf(userId)).map(({ id, name }) => [String(id), name]),
  );
  const clientName = memoize(
    async (id: string) => (await oauth.reads.findClient(id))?.name ?? id,
    MOST_NAMES,
  );
  return async ({ clientId, source }) =>
    clientId === '' ? (tokens.get(source) ?? '') : clientName(clientId);
}

const FIELDS = {
  service: [],
  profile: PROFILE_FIELDS,
  posts: POST_FIELDS,
  subject: ['sub'],
  claims: USERINFO_CLAIMS,
} as const;

/** The names of the fields that the answers held. None in an answer without data. */
export function fieldsIn({ reading, status, posts }: DiaryLine): readonly string[] {
  if (status !== 200 || (reading === 'posts' && posts === 0)) return [];
  return FIELDS[reading];
}
