// A member's data as one JSON document, sent while it is read, so that little of it is in memory at a time.

import { byMember } from '../../../audit/doer.ts';
import { eventsOfMember } from '../../../audit/security-event.ts';
import { mailChoiceOf } from '../../../community/news.ts';
import {
  ownBookmarks,
  ownComments,
  ownLikes,
  ownNotifications,
  ownPictures,
  ownPosts,
  ownReports,
  ownUnusedPictures,
} from '../../../community/own-data.ts';
import { paced } from '../../../community/pace.ts';
import { picturePath } from '../../../community/picture.ts';
import { tagsIn } from '../../../community/tag.ts';
import { signedInBrowsers } from '../../../identity/browsers.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { downloadOf, withoutRoom } from '../../pages/download.ts';
import { tooOftenPage } from '../../pages/too-often.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { diaryRecords } from './diary-export.ts';

// A member has no more of them at an application.
const MOST_SIGN_INS = 1000;
const MOST_REPORTS = 10_000;

export const EXPORT_PATH = '/settings/account/export';

/** Answer with the member's data as a file, at most a few times a day. */
export async function downloadData(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const place = { userId: user.id, address: site.clientAddress(c) };
  const refused = withoutRoom(c, place, '/settings/account');
  if (refused !== undefined) return refused;
  const tooFast = await paced(byMember(user, site.clock), site.community, 'export');
  if (tooFast !== undefined) return tooOftenPage(c, tooFast, '/settings/account');
  return downloadOf(c, `account-${user.id}.json`, documentOf(site, user, site.clock()));
}

/** Yield the document piece by piece. */
async function* documentOf(site: SiteParts, user: User, now: Timestamp): AsyncGenerator<string> {
  const { community, identity, oauth } = site;
  yield `{"site":${JSON.stringify(site.site.baseUrl)},"exported_at":${JSON.stringify(iso(now))}`;
  yield `,"profile":${JSON.stringify({ ...profileOf(user), links: await identity.reads.linksOf(user.id) })}`;
  const earlierUsernames = await identity.reads.earlierUsernames(user.id);
  yield* listOf(
    'earlier_usernames',
    earlierUsernames.map(({ username, renamedAt }) => ({ username, renamedAt })),
  );
  yield `,\n"second_factor":${JSON.stringify(await factorsOf(site, user))}`;
  yield* listOf('posts', ownPostsWithTags(site, user.id));
  yield* listOf('comments', ownComments(community, user.id));
  yield* listOf('pictures', ownPicturesWithPaths(site, user.id));
  yield `,\n"emails":${JSON.stringify(await mailChoiceOf(community, user.id))}`;
  yield* listOf('likes', ownLikes(community, user.id));
  yield* listOf('bookmarks', ownBookmarks(community, user.id));
  yield* listOf('followed_members', await community.reads.followedMembers(user.id));
  yield* listOf('followed_tags', await community.reads.followedTags(user.id));
  yield* listOf('notifications', ownNotifications(community, user.id));
  yield* listOf('reports', ownReports(community, user.id));
  yield* listOf('application_reports', await oauth.reads.clientReportsBy(user.id, MOST_REPORTS));
  const connected = (await oauth.reads.connectedClients(user.id, now)).map(({ client, grant }) => ({
    name: client.name,
    allowedAs: grant.allowedAs,
    clientId: client.id,
    scopes: grant.scopes,
    grantedAt: grant.grantedAt,
    consentedAt: grant.consentedAt,
    lastAuthorizedAt: grant.lastAuthorizedAt,
    duration: grant.duration,
    endsAt: grant.endsAt,
    pausedAt: grant.pausedAt,
  }));
  yield* listOf('connected_applications', connected);
  yield* listOf('application_sign_ins', ownSignIns(site, user, now));
  const tokens = (await oauth.reads.personalTokensOf(user.id)).map((token) => ({
    name: token.name,
    note: token.note,
    scopes: token.scopes,
    addresses: token.addresses,
    createdAt: token.createdAt,
    expiresAt: token.expiresAt,
    replacedAt: token.replacedAt,
    lastUsedAt: token.lastUsedAt,
    lastNetwork: token.lastUse?.network,
    lastProgram: token.lastUse?.program,
    lastEndpoint: token.lastUse?.endpoint,
  }));
  yield* listOf('api_tokens', tokens);
  const browsers = await signedInBrowsers(identity, user.id);
  yield* listOf(
    'browsers',
    browsers.map(({ key: _, ...browser }) => browser),
  );
  yield* listOf('security_events', ownSecurityEvents(site, user));
  yield* listOf('access_diary', diaryRecords(site, user));
  yield '}\n';
}

// Names and times, no secrets.
async function factorsOf({ identity }: SiteParts, { id }: User): Promise<object> {
  const [factors, passkeys] = await Promise.all([
    identity.reads.factorsOf(id),
    identity.reads.passkeysOf(id),
  ]);
  const { appSince, recoveryCodes } = factors;
  return {
    ...toJsonRecord({ appAddedAt: appSince, recoveryCodes }),
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) =>
      toJsonRecord({ name, createdAt, lastUsedAt }),
    ),
  };
}

async function* ownPostsWithTags({ community }: SiteParts, userId: number): AsyncGenerator<object> {
  for await (const post of ownPosts(community, userId)) yield { ...post, tags: tagsIn(post) };
}

async function* ownPicturesWithPaths({ community, site }: SiteParts, userId: number): AsyncGenerator<object> {
  for (const pictures of [ownPictures(community, userId), ownUnusedPictures(community, userId)]) {
    for await (const picture of pictures) {
      const { type, width, height, size, postId, commentId } = picture;
      yield { address: site.baseUrl + picturePath(picture), type, width, height, size, postId, commentId };
    }
  }
}

async function* ownSignIns({ oauth }: SiteParts, user: User, now: Timestamp): AsyncGenerator<object> {
  for (const { client } of await oauth.reads.connectedClients(user.id, now)) {
    const signIns = await oauth.reads.signInsOf(user.id, client.id, now, MOST_SIGN_INS);
    for (const { key, scopes, issuedAt, rotatedAt, expiresAt, program, network } of signIns) {
      yield {
        source: key,
        clientId: client.id,
        scopes,
        signedInAt: issuedAt,
        program,
        network,
        renewedAt: rotatedAt,
        expiresAt,
      };
    }
  }
}

async function* ownSecurityEvents({ audit }: SiteParts, user: User): AsyncGenerator<object> {
  for await (const event of eventsOfMember(audit.reads, user.id)) {
    const { at, event: name, clientId, address, by, detail, subject } = event;
    yield { occurredAt: at, event: name, clientId, address, by, detail, subject };
  }
}

function profileOf(user: User) {
  const { id, username, email, bio, isOperator, isModerator, memberUntil, xp, createdAt } = user;
  return toJsonRecord({ id, username, email, bio, isOperator, isModerator, memberUntil, xp, createdAt });
}

async function* listOf(
  name: string,
  records: AsyncIterable<object> | Iterable<object>,
): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}:[`;
  let separator = '\n';
  for await (const record of records) {
    yield separator + JSON.stringify(toJsonRecord(record));
    separator = ',\n';
  }
  yield ']';
}

// Field names and moments as in the API's JSON: snake case, ISO 8601, and null for a missing value.
function toJsonRecord(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      name.endsWith('At') || name === 'memberUntil' ? iso(value as Timestamp | undefined) : (value ?? null),
    ]),
  );
}

function iso(moment: Timestamp | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString();
}
