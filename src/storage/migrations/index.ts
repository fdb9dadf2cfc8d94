// The migrations in order. Never edit a released migration: add another.

import { first } from './0001-first.ts';
import { openid } from './0002-openid.ts';
import { changes } from './0003-changes.ts';
import { community } from './0004-community.ts';
import { renderedTexts } from './0005-rendered-texts.ts';
import { securityEvents } from './0008-security-events.ts';
import { publishedWords } from './0011-published-words.ts';
import { closedAccounts } from './0012-closed-accounts.ts';
import { siteSettings } from './0013-site-settings.ts';
import { earlierUsernames } from './0014-earlier-usernames.ts';
import { moderation } from './0015-moderation.ts';
import { liveAccess } from './0016-live-access.ts';
import { oldAddresses } from './0017-old-addresses.ts';
import { backgroundWork } from './0019-background-work.ts';
import { siteTexts } from './0020-site-texts.ts';
import { approval } from './0021-approval.ts';
import { sitePictures } from './0022-site-pictures.ts';
import { pictures } from './0023-pictures.ts';
import { statesOfGrants } from './0024-states-of-grants.ts';
import { secondFactors } from './0025-second-factors.ts';
import { apiTokens } from './0026-api-tokens.ts';
import { introductions } from './0027-introductions.ts';
import { accessDiary } from './0028-access-diary.ts';
import { eventsOfMembers } from './0030-events-of-members.ts';
import { browsers } from './0031-browsers.ts';
import { applicationEvents } from './0032-application-events.ts';
import { reportsOfMembers } from './0033-reports-of-members.ts';
import { deactivatedApplications } from './0034-deactivated-applications.ts';
import { requestInspector } from './0035-request-inspector.ts';
import { changesOfFamilies } from './0036-changes-of-families.ts';
import { sumsOfDiaries } from './0037-sums-of-diaries.ts';
import { mailsAndTokens } from './0038-mails-and-tokens.ts';
import { namedEventsOfMembers } from './0039-named-events-of-members.ts';
import { ownedApplications } from './0040-owned-applications.ts';
import { boundedRecords } from './0042-bounded-records.ts';
import { reviewedApplications } from './0045-reviewed-applications.ts';
import { clientDocuments } from './0046-client-documents.ts';
import { membersByAge } from './0047-members-by-age.ts';
import { looksOfApplications } from './0048-looks-of-applications.ts';
import { eventsOfEndpoints } from './0050-events-of-endpoints.ts';
import { uploadedPictures } from './0052-uploaded-pictures.ts';
import { listsOfPosts } from './0054-lists-of-posts.ts';
import { tags } from './0058-tags.ts';
import { following } from './0059-following.ts';
import { bookmarks } from './0060-bookmarks.ts';
import { drawingsAndLinks } from './0061-drawings-and-links.ts';
import { listsOfApplications } from './0062-lists-of-applications.ts';
import { approvalsOfApplications } from './0063-approvals-of-applications.ts';
import { mailChoices } from './0064-mail-choices.ts';
import { youngAddresses } from './0067-young-addresses.ts';
import { commentsWithoutRemovedOnes } from './0069-comments-without-removed-ones.ts';
import { accountsClosedInSteps } from './0070-accounts-closed-in-steps.ts';
import { placesOfPictures } from './0072-places-of-pictures.ts';
import { listsInTags } from './0073-lists-in-tags.ts';
import { changedTags } from './0074-changed-tags.ts';
import { originsOfSignIns } from './0075-origins-of-sign-ins.ts';
import { makersOfLinks } from './0076-makers-of-links.ts';
import { countsOfPosts } from './0078-counts-of-posts.ts';
import { blocksOfWords } from './0081-blocks-of-words.ts';
import { pairsOfSigns } from './0083-pairs-of-signs.ts';
import { mergedCategories } from './0084-merged-categories.ts';
import { answeredComments } from './0085-answered-comments.ts';
import { textsAtTheEnd } from './0086-texts-at-the-end.ts';
import { smallLists } from './0087-small-lists.ts';
import { waitingCommentsOfMembers } from './0088-waiting-comments-of-members.ts';
import { wholeWords } from './0089-whole-words.ts';
import { unusedPictures } from './0090-unused-pictures.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  first,
  openid,
  changes,
  community,
  renderedTexts,
  securityEvents,
  publishedWords,
  closedAccounts,
  siteSettings,
  earlierUsernames,
  moderation,
  liveAccess,
  oldAddresses,
  backgroundWork,
  siteTexts,
  approval,
  sitePictures,
  pictures,
  statesOfGrants,
  secondFactors,
  apiTokens,
  introductions,
  accessDiary,
  eventsOfMembers,
  browsers,
  applicationEvents,
  reportsOfMembers,
  deactivatedApplications,
  requestInspector,
  changesOfFamilies,
  sumsOfDiaries,
  mailsAndTokens,
  namedEventsOfMembers,
  ownedApplications,
  boundedRecords,
  reviewedApplications,
  clientDocuments,
  membersByAge,
  looksOfApplications,
  eventsOfEndpoints,
  uploadedPictures,
  listsOfPosts,
  tags,
  following,
  bookmarks,
  drawingsAndLinks,
  listsOfApplications,
  approvalsOfApplications,
  mailChoices,
  youngAddresses,
  commentsWithoutRemovedOnes,
  accountsClosedInSteps,
  placesOfPictures,
  listsInTags,
  changedTags,
  originsOfSignIns,
  makersOfLinks,
  countsOfPosts,
  blocksOfWords,
  pairsOfSigns,
  mergedCategories,
  answeredComments,
  textsAtTheEnd,
  smallLists,
  waitingCommentsOfMembers,
  wholeWords,
  unusedPictures,
];
