// Mentions of members in posts and comments. The names become links when a text is rendered, and the members are
// notified when it is published, or when a change of it adds them.

import type { Doer } from '../audit/doer.ts';
import { linkMentions, mentionedMembers, possibleNames } from '../lib/markdown-mentions.ts';
import type { RenderedText } from '../lib/text-renderer.ts';
import type { Community } from './community.ts';
import { paced } from './pace.ts';

/** So many members of a text are notified, the first ones. */
export const MOST_NOTIFIED = 10;

/** Make links of the names of members, and list the active ones by their ids, in the order of the text. */
export async function withMentions(
  { membersNamed }: Community,
  { html, mentions }: Pick<RenderedText, 'html' | 'mentions'>,
): Promise<{ html: string; mentioned: number[] }> {
  if (mentions.length === 0) return { html, mentioned: [] };
  const named = await membersNamed(mentions.flatMap(possibleNames));
  const members = new Map([...named].filter(([, { status }]) => status !== 'closed'));
  const ids = new Map([...members].map(([name, { id }]) => [name, id]));
  const found = mentions.flatMap(
    (mention) => members.get(possibleNames(mention).find((name) => members.has(name)) ?? '') ?? [],
  );
  const active = found.filter(({ status }) => status === 'active');
  return { html: linkMentions(html, ids), mentioned: [...new Set(active.map(({ id }) => id))] };
}

/**
 * Choose whom to tell of a text that is published, or was changed: those whom the text before, as HTML, did not
 * mention. A member who has told many in an hour tells no one more.
 */
export async function toNotify(
  by: Doer,
  community: Community,
  mentioned: readonly number[],
  before = '',
): Promise<number[]> {
  const earlier = new Set(mentionedMembers(before));
  const author = by.kind === 'member' ? by.userId : undefined;
  const ids = mentioned.filter((id) => id !== author && !earlier.has(id)).slice(0, MOST_NOTIFIED);
  if (by.kind !== 'member') return ids;
  // Each member counts, and not each text: they may get a mail.
  const told: number[] = [];
  for (const id of ids) {
    if ((await paced(by, community, 'mention')) !== undefined) break;
    told.push(id);
  }
  return told;
}
