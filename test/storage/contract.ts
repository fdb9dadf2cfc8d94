// What the stores promise on every database: what each of their functions does, and that it does so in one step.

import { describe } from 'node:test';
import { accessDiary } from './contract/access-diary.ts';
import { addressChanges } from './contract/address-changes.ts';
import { applicationEvents } from './contract/application-events.ts';
import { approvals } from './contract/approvals.ts';
import { auditLog } from './contract/audit-log.ts';
import { avatarsAndClosing } from './contract/avatars-and-closing.ts';
import { browsers } from './contract/browsers.ts';
import { categories } from './contract/categories.ts';
import { changedTags } from './contract/changed-tags.ts';
import { clientLooks } from './contract/client-looks.ts';
import { clientReports } from './contract/client-reports.ts';
import { clientReviews } from './contract/client-reviews.ts';
import { clientsAndGrants } from './contract/clients-and-grants.ts';
import { closedAccounts } from './contract/closed-accounts.ts';
import { codes } from './contract/codes.ts';
import { comments } from './contract/comments.ts';
import { countsOfPosts } from './contract/counts-of-posts.ts';
import { deletedPictures } from './contract/deleted-pictures.ts';
import { describedClients } from './contract/described-clients.ts';
import { draftsAndRemovedPosts } from './contract/drafts-and-removed-posts.ts';
import { drawings } from './contract/drawings.ts';
import { endedSessions } from './contract/ended-sessions.ts';
import { families } from './contract/families.ts';
import { feeds } from './contract/feeds.ts';
import { following } from './contract/following.ts';
import { grantStates } from './contract/grant-states.ts';
import { importsContract } from './contract/imports.ts';
import { inactiveMembers } from './contract/inactive-members.ts';
import { invitations } from './contract/invitations.ts';
import { likesAndViews } from './contract/likes-and-views.ts';
import { listings } from './contract/listings.ts';
import { mailLinks } from './contract/mail-links.ts';
import { mails } from './contract/mails.ts';
import { memberHelp } from './contract/member-help.ts';
import { mentions } from './contract/mentions.ts';
import { moderation } from './contract/moderation.ts';
import { moderators } from './contract/moderators.ts';
import { news } from './contract/news.ts';
import { oauthAudit } from './contract/oauth-audit.ts';
import { operators } from './contract/operators.ts';
import { ownedClients } from './contract/owned-clients.ts';
import { people } from './contract/people.ts';
import { personalTokens } from './contract/personal-tokens.ts';
import { picturesContract } from './contract/pictures.ts';
import { picturesOfRemovedComments } from './contract/pictures-of-removed-comments.ts';
import { placesOfPictures } from './contract/places-of-pictures.ts';
import { posts } from './contract/posts.ts';
import { publicSignIns } from './contract/public-sign-ins.ts';
import { related } from './contract/related.ts';
import { removedComments } from './contract/removed-comments.ts';
import { replacedTokens } from './contract/replaced-tokens.ts';
import { reports } from './contract/reports.ts';
import { requestLines } from './contract/request-lines.ts';
import { search } from './contract/search.ts';
import { searchInSigns } from './contract/search-in-signs.ts';
import { searchWithTag } from './contract/search-with-tag.ts';
import { secondFactors } from './contract/second-factors.ts';
import { securityEvents } from './contract/security-events.ts';
import { sessionsAndAttempts } from './contract/sessions-and-attempts.ts';
import { signingKeys } from './contract/signing-keys.ts';
import { siteSettings } from './contract/site-settings.ts';
import { tags } from './contract/tags.ts';
import { texts } from './contract/texts.ts';
import { tokenEvents } from './contract/token-events.ts';
import { transactions } from './contract/transactions.ts';
import { transferredClients } from './contract/transferred-clients.ts';
import { uploadedPictures } from './contract/uploaded-pictures.ts';
import type { Open } from './fixture.ts';

/** Register the tests of the whole contract for one kind of database. `skip` says why they can't run. */
export function storageContract(name: string, open: Open, skip: string | false = false): void {
  const parts = {
    applicationEvents,
    people,
    operators,
    avatarsAndClosing,
    reports,
    listings,
    auditLog,
    sessionsAndAttempts,
    secondFactors,
    browsers,
    securityEvents,
    tokenEvents,
    requestLines,
    posts,
    countsOfPosts,
    importsContract,
    picturesContract,
    uploadedPictures,
    deletedPictures,
    placesOfPictures,
    draftsAndRemovedPosts,
    feeds,
    search,
    searchInSigns,
    searchWithTag,
    comments,
    tags,
    changedTags,
    related,
    following,
    mentions,
    removedComments,
    picturesOfRemovedComments,
    closedAccounts,
    texts,
    inactiveMembers,
    likesAndViews,
    mails,
    addressChanges,
    memberHelp,
    moderation,
    moderators,
    categories,
    mailLinks,
    invitations,
    clientsAndGrants,
    clientLooks,
    grantStates,
    ownedClients,
    transferredClients,
    describedClients,
    clientReports,
    clientReviews,
    codes,
    endedSessions,
    publicSignIns,
    families,
    personalTokens,
    replacedTokens,
    signingKeys,
    news,
    oauthAudit,
    accessDiary,
    siteSettings,
    drawings,
    approvals,
    transactions,
  };
  for (const part of Object.values(parts))
    describe(`on ${name}, ${part.title}`, { skip }, () => part.registerTests(open));
}
