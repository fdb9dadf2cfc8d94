// The cards of posts, of members and of the community, for previews of links to their pages.

import { type Post, postFor } from '../../community/post.ts';
import type { User } from '../../identity/user.ts';
import { CARD_HEIGHT, CARD_WIDTH, type Card, drawCard, type OwnPicture } from '../../lib/card.ts';
import { STANDARD_ACCENT, THEMES } from '../../site/accent.ts';
import type { WantedDrawing } from '../../site/drawing.ts';
import type { SharedPicture } from '../pages/sharing.ts';
import type { CurrentSite, PageContext } from '../pages/visitor.ts';
import { archIn } from '../static-files.ts';
import { drawnPicture, versionOf } from './drawn.ts';
import { avatarOf } from './members/avatar.ts';
import type { SiteParts } from './site-parts.ts';

// To be changed with the way cards look, so that all are drawn again.
const LOOK = 1;

/** The texts and the member on a card. */
interface CardFacts {
  name: string;
  title: string;
  line?: string;
  /** Whether the community's name is the title, and not above it. */
  isOfSite?: boolean;
  author?: string;
  member?: { id: number; avatar: string | undefined };
}

/** The card of a published post. */
export function cardOfPost(c: PageContext, post: Post): SharedPicture {
  return sharedCard(c, factsOfPost(post), `${post.title} · ${post.authorName}`);
}

/** The card of a member. */
export function cardOfMember(c: PageContext, user: User): SharedPicture {
  return sharedCard(c, factsOfMember(user), user.username);
}

/** The card of the community. */
export function cardOfSite(c: PageContext): SharedPicture {
  return sharedCard(c, factsOfSite(c), c.get('site').name);
}

/** Answer with the card of the post in the path, if everyone can read it. */
export async function postCard(parts: SiteParts, c: PageContext): Promise<Response> {
  const post = await postFor(parts.community, undefined, idOfFile(c));
  return drawnPicture(parts, c, post && wanted(parts, c, factsOfPost(post)));
}

/** Answer with the card of the member in the path. */
export async function memberCard(parts: SiteParts, c: PageContext): Promise<Response> {
  const user = await parts.identity.reads.findUser(idOfFile(c));
  const isPublic = user?.status === 'active';
  return drawnPicture(parts, c, isPublic ? wanted(parts, c, factsOfMember(user)) : undefined);
}

/** Answer with the card of the community. */
export function siteCard(parts: SiteParts, c: PageContext): Promise<Response> {
  return drawnPicture(parts, c, wanted(parts, c, factsOfSite(c)));
}

function factsOfPost({ id, title, userId, authorName, authorAvatar }: Post): CardFacts {
  const member = { id: userId, avatar: authorAvatar };
  return { name: `post ${id}`, title, author: authorName, member };
}

function factsOfMember({ id, username, bio, avatar }: User): CardFacts {
  return { name: `member ${id}`, title: username, line: bio, member: { id, avatar } };
}

function factsOfSite(c: PageContext): CardFacts {
  const { name, sentence } = c.get('site');
  return { name: 'site', title: name, line: sentence, isOfSite: true };
}

function idOfFile(c: PageContext): number {
  return Number(/\/(\d+)-[^/]*$/.exec(c.req.path)?.[1]);
}

function sharedCard(c: PageContext, facts: CardFacts, alt: string): SharedPicture {
  const [kind, id] = facts.name.split(' ');
  const file = `${versionOfCard(c.get('site'), facts)}.png`;
  const path = id === undefined ? `/cards/${kind}-${file}` : `/cards/${kind}s/${id}-${file}`;
  return { path, width: CARD_WIDTH, height: CARD_HEIGHT, alt };
}

function versionOfCard({ name, accent, logo }: CurrentSite, facts: CardFacts): string {
  const { title, line = '', author = '', member } = facts;
  return versionOf([LOOK, name, accent, logo, title, line, author, member?.id ?? 0, member?.avatar ?? '']);
}

function wanted(parts: SiteParts, c: PageContext, facts: CardFacts): WantedDrawing {
  const site = c.get('site');
  const { name, title, line, author, member, isOfSite } = facts;
  return {
    name,
    version: versionOfCard(site, facts),
    ...(member && { userId: member.id }),
    async draw(caller) {
      const card: Card = { ...coloursOf(site), title, mark: await markOf(parts, site) };
      if (!isOfSite) card.place = site.name;
      if (line) card.line = line;
      if (author !== undefined) card.author = author;
      if (member !== undefined) card.avatar = await avatar(parts, member);
      return drawCard(card, caller);
    },
  };
}

/** The colours of light pages. */
export function coloursOf({ accent }: CurrentSite): { paper: string; accent: string } {
  return { paper: THEMES.light.paper, accent: accent || STANDARD_ACCENT };
}

/** The logo, or the arch in the accent. */
export async function markOf({ site }: SiteParts, current: CurrentSite): Promise<OwnPicture> {
  const logo = current.logo === '' ? undefined : await site.reads.findLogo(current.logo);
  return logo ?? archIn(coloursOf(current).accent);
}

async function avatar(
  { identity }: SiteParts,
  { id, avatar: version }: NonNullable<CardFacts['member']>,
): Promise<OwnPicture> {
  const uploaded = version === undefined ? undefined : await identity.reads.findAvatar(id, version);
  return uploaded ?? avatarOf(id);
}
