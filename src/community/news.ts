// Mails that bring members back: answers to them (replies, mentions, and comments on their posts), and a weekly digest
// of what they follow and of what is popular. Only members who have signed in here get any, and each mail has a link
// that ends its kind.

import type { MemberDoer } from '../audit/doer.ts';
import type { News, NewsItem, WaitingMail } from '../identity/mail-store.ts';
import { DAY, HOUR, MINUTE } from '../lib/clock.ts';
import { openingOfHtml } from '../lib/html-text.ts';
import { partOf } from '../lib/part.ts';
import type { Community } from './community.ts';
import { excerptOfOpening } from './excerpt.ts';
import { BEGINNING } from './feed.ts';
import type { Answer, MailChoice } from './news-store.ts';
import { htmlOf } from './rendering.ts';

export type { MailChoice } from './news-store.ts';

/** What a member gets who has not chosen. */
export const DEFAULT_MAILS: MailChoice = { answers: true, digest: false };

// Time to read an answer on the site, and for its author to change or remove it.
const READING_TIME = 10 * MINUTE;
const PACE_OF_ANSWERS = 1 * HOUR;
const PACE_OF_DIGESTS = 7 * DAY;
// Longer than an attempt to send a mail takes.
const SENDING_TIME = 5 * MINUTE;
const MOST_NOTIFICATIONS = 500;
const MOST_DIGESTS = 50;

const MOST_ANSWERS_IN_MAIL = 10;
const MOST_POSTS_IN_DIGEST = 7;
// They come first in the digest. So few leave room for popular ones.
const MOST_FOLLOWED_POSTS = 4;
// Of these, the posts of the last seven days are in the digest.
const POPULAR_POSTS_READ = 50;

export async function mailChoiceOf({ reads }: Community, userId: number): Promise<MailChoice> {
  return (await reads.mailChoice(userId)) ?? DEFAULT_MAILS;
}

/** Save which mails the member gets. The first digest comes a week later. */
export function chooseMails(by: MemberDoer, { writes }: Community, choice: MailChoice): Promise<void> {
  return writes.chooseMails(by, choice, by.at + PACE_OF_DIGESTS);
}

/** End mails of one kind to a member. */
export async function stopMails(by: MemberDoer, community: Community, kind: keyof MailChoice): Promise<void> {
  await chooseMails(by, community, { ...(await mailChoiceOf(community, by.userId)), [kind]: false });
}

/**
 * Queue mails for some answers, and some digests that are due. Returns how many notifications and digests were looked
 * at, 0 if there are none left. Several processes can call it at once.
 */
export async function queueNews(community: Community): Promise<number> {
  return (await queueAnswers(community)) + (await queueDigests(community));
}

async function queueAnswers({ reads, writes, clock }: Community): Promise<number> {
  const at = clock();
  const { after, next } = await reads.notificationsToMail(MOST_NOTIFICATIONS);
  const tooNew = next.findIndex(({ createdAt }) => createdAt > at - READING_TIME);
  const ready = tooNew === -1 ? next : next.slice(0, tooNew);
  const through = ready.at(-1)?.id;
  if (through === undefined) return 0;
  await writes.queueAnswers({ after, through, at, pace: PACE_OF_ANSWERS, claimedUntil: at + SENDING_TIME });
  return ready.length;
}

async function queueDigests({ reads, writes, clock }: Community): Promise<number> {
  const at = clock();
  const due = await reads.digestsDue(at, MOST_DIGESTS);
  await Promise.all(
    due.map((digest) => {
      // After a pause of the server, one digest and not one for each week.
      const missed = Math.floor((at - digest.dueAt) / PACE_OF_DIGESTS);
      return writes.queueDigest(digest, digest.dueAt + (missed + 1) * PACE_OF_DIGESTS, at);
    }),
  );
  return due.length;
}

/**
 * What a mail that is due lists. Undefined if there is nothing to tell: the member has seen it meanwhile, it was
 * removed, or the member has chosen to get no such mails.
 */
export async function newsFor(
  community: Community,
  { purpose, userId, about }: Pick<WaitingMail, 'purpose' | 'userId' | 'about'>,
): Promise<News | undefined> {
  const choice = await mailChoiceOf(community, userId);
  const news =
    purpose === 'digest'
      ? choice.digest && (await digestFor(community, userId))
      : choice.answers && (await answersFor(community, userId, about.after ?? 0));
  return news && news.items.length > 0 ? news : undefined;
}

async function answersFor(community: Community, userId: number, after: number): Promise<News> {
  const answers = await community.reads.answersAfter(userId, after, MOST_ANSWERS_IN_MAIL + 1);
  const { items, last } = partOf(answers, MOST_ANSWERS_IN_MAIL);
  const news: NewsItem[] = [];
  for (const answer of items) {
    const { kind, authorName, postId, postTitle, commentId } = answer;
    const excerpt = await excerptOfAnswer(community, answer);
    news.push({ kind, authorName, postId, postTitle, commentId, excerpt });
  }
  return { items: news, hasMore: last !== undefined };
}

// Made of stored HTML, because parsing Markdown can take long.
async function excerptOfAnswer(community: Community, answer: Answer): Promise<string> {
  const { commentId: id, postExcerpt, body, html, htmlVersion } = answer;
  if (id === undefined) return postExcerpt;
  return excerptOfOpening(openingOfHtml(await htmlOf(community, 'comment', { id, body, html, htmlVersion })));
}

async function digestFor({ reads, clock }: Community, userId: number): Promise<News> {
  const since = clock() - PACE_OF_DIGESTS;
  const [followed, popular] = await Promise.all([
    reads.followedPosts(userId, BEGINNING, MOST_FOLLOWED_POSTS),
    reads.popularPosts(BEGINNING, POPULAR_POSTS_READ),
  ]);
  const all = new Map([...followed, ...popular].map((post) => [post.id, post]));
  const posts = [...all.values()].filter(
    (post) => post.userId !== userId && (post.publishedAt ?? 0) >= since,
  );
  const items = posts.slice(0, MOST_POSTS_IN_DIGEST).map(({ id, title, authorName, excerpt }) => ({
    kind: 'post' as const,
    postId: id,
    postTitle: title,
    authorName,
    commentId: undefined,
    excerpt,
  }));
  return { items, hasMore: posts.length > items.length };
}
