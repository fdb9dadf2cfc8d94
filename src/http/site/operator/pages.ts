// The list of the operators' and moderators' pages, and who may open them.

import { MOST_PICTURE_BYTES } from '../../../identity/avatar.ts';
import { TEXT_NAMES } from '../../../site/text-names.ts';
import { moderator, operator } from '../../pages/guards.ts';
import { NUMBER } from '../../pages/numbers.ts';
import { get, type ListedPage, post, redirect } from '../../pages/serve-pages.ts';
import {
  provenModeratorForm as moderatorForm,
  provenOperatorForm as operatorForm,
  provenOperatorText as operatorText,
  provenOperatorUpload as operatorUpload,
} from '../proof.ts';
import type { SiteParts } from '../site-parts.ts';
import { changeAccount, changeAccountPage } from './account-change.ts';
import { changeApplication, changeApplicationPage } from './application-change.ts';
import { closeApplicationReports } from './application-reports.ts';
import { applicationsPage } from './applications.ts';
import { auditPage } from './audit.ts';
import { changeCategory, categoriesPage as operatorCategoriesPage, saveCategory } from './categories.ts';
import { removeContentOf, removeContentPage, restoreContentOf } from './content.ts';
import { STEPS_PATH } from './first-steps.ts';
import { guestsPage, saveGuests } from './guests.ts';
import { createInvitation, invitationsPage, revokeUnusedInvitation } from './invitations.ts';
import { mailsPage, sendMailAgain } from './mails.ts';
import { manageMemberPage } from './member.ts';
import {
  createMembersResetLink,
  renameMember,
  resetMembersFactors,
  saveMembersEmail,
  signMemberOut,
  signMemberOutPage,
} from './member-help-acts.ts';
import { membersPage } from './members.ts';
import { saveMembership } from './membership.ts';
import { overviewPage, takeFirstStep } from './overview.ts';
import { changePost } from './post.ts';
import { removedPage } from './removed.ts';
import { decideReports, reportsPage } from './reports.ts';
import { saveRole } from './role.ts';
import { securityEventsPage } from './security.ts';
import { serverPage } from './server.ts';
import { removeSavedLogo, saveAccent, saveLogo, saveSettings, settingsPage } from './settings.ts';
import { changeTag, manageTagPage } from './tag.ts';
import { tagsPage as operatorTagsPage, TAGS_PATH } from './tags.ts';
import { editTextPage, saveText, textsPage } from './texts.ts';
import { decideWaiting, waitingPage } from './waiting.ts';
import { REVIEW_PATH, reviewApplication, WAITING_APPLICATIONS_PATH } from './waiting-applications.ts';

type Section = readonly ListedPage<SiteParts>[];

const MEMBER_PATH = `/operator/members/:id${NUMBER}`;

const CONTENT_PATH = `/operator/:kind{(?:posts|comments)}/:id${NUMBER}`;

const TEXT_PATH = `/operator/texts/:text{(?:${TEXT_NAMES.join('|')})}`;

/** The pages about content, for operators and moderators. */
export const MODERATING: Section = [
  get('/operator/reports', moderator, reportsPage),
  post('/operator/reports', moderatorForm, decideReports),
  get('/operator/waiting', moderator, waitingPage),
  post('/operator/waiting', moderatorForm, decideWaiting),
  get('/operator/removed', moderator, removedPage),
  get(`${CONTENT_PATH}/remove`, moderator, removeContentPage),
  post(`${CONTENT_PATH}/remove`, moderatorForm, removeContentOf),
  post(`${CONTENT_PATH}/restore`, moderatorForm, restoreContentOf),
  post(`/operator/posts/:id${NUMBER}/change`, moderatorForm, changePost),
  get(`${MEMBER_PATH}/:change{(?:suspend|reactivate)}`, moderator, changeAccountPage),
  post(`${MEMBER_PATH}/:change{(?:suspend|reactivate)}`, moderatorForm, changeAccount),
  get('/operator/categories', moderator, operatorCategoriesPage),
  post('/operator/categories', moderatorForm, saveCategory),
  post('/operator/categories/change', moderatorForm, changeCategory),
  get(TAGS_PATH, moderator, operatorTagsPage),
  get(`${TAGS_PATH}/:tag`, moderator, manageTagPage),
  post(`${TAGS_PATH}/:tag`, moderatorForm, changeTag),
];

/** The pages for operators alone. */
export const OPERATING: Section = [
  get('/operator', operator, overviewPage),
  post(STEPS_PATH, operatorForm, takeFirstStep),
  redirect(STEPS_PATH, () => '/operator'),
  get('/operator/members', operator, membersPage),
  get(MEMBER_PATH, operator, manageMemberPage),
  get(`${MEMBER_PATH}/:change{close}`, operator, changeAccountPage),
  post(`${MEMBER_PATH}/:change{close}`, operatorForm, changeAccount),
  post(`${MEMBER_PATH}/role`, operatorForm, saveRole),
  post(`${MEMBER_PATH}/membership`, operatorForm, saveMembership),
  post(`${MEMBER_PATH}/reset-link`, operatorForm, createMembersResetLink),
  post(`${MEMBER_PATH}/email`, operatorForm, saveMembersEmail),
  post(`${MEMBER_PATH}/username`, operatorForm, renameMember),
  post(`${MEMBER_PATH}/factors`, operatorForm, resetMembersFactors),
  get(`${MEMBER_PATH}/sign-out`, operator, signMemberOutPage),
  post(`${MEMBER_PATH}/sign-out`, operatorForm, signMemberOut),
  post('/operator/reports/applications', operatorForm, closeApplicationReports),
  redirect('/operator/reports/applications', () => '/operator/reports'),
  get('/operator/applications', operator, applicationsPage),
  post(REVIEW_PATH, operatorForm, reviewApplication),
  redirect(REVIEW_PATH, () => WAITING_APPLICATIONS_PATH),
  get('/operator/applications/:id/:change{(?:activate|deactivate)}', operator, changeApplicationPage),
  post('/operator/applications/:id/:change{(?:activate|deactivate)}', operatorForm, changeApplication),
  get('/operator/invitations', operator, invitationsPage),
  post('/operator/invitations', operatorForm, createInvitation),
  post('/operator/invitations/revoke', operatorForm, revokeUnusedInvitation),
  get('/operator/guests', operator, guestsPage),
  post('/operator/guests', operatorForm, saveGuests),
  get('/operator/settings', operator, settingsPage),
  post('/operator/settings', operatorForm, saveSettings),
  post('/operator/settings/accent', operatorForm, saveAccent),
  post('/operator/settings/logo', operatorUpload('logo', MOST_PICTURE_BYTES, '/operator/settings'), saveLogo),
  post('/operator/settings/logo/remove', operatorForm, removeSavedLogo),
  redirect('/operator/settings/logo', () => '/operator/settings'),
  redirect('/operator/settings/accent', () => '/operator/settings'),
  get('/operator/texts', operator, textsPage),
  get(TEXT_PATH, operator, editTextPage),
  post(TEXT_PATH, operatorText, saveText),
  get('/operator/audit', operator, auditPage),
  get('/operator/security', operator, securityEventsPage),
  get('/operator/mails', operator, mailsPage),
  post('/operator/mails/again', operatorForm, sendMailAgain),
  get('/operator/server', operator, serverPage),
];
