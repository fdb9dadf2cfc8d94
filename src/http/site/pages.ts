// All pages of the site: method, path, guard, and the function that answers. The first match wins.

import { Hono } from 'hono';
import { etag } from 'hono/etag';
import {
  everyone,
  harmlessForm,
  member,
  memberForm,
  memberText,
  textUpload,
  visitorForm,
} from '../pages/guards.ts';
import { NUMBER } from '../pages/numbers.ts';
import { belowPost, memberPath, POST_PATH, tagPath } from '../pages/post-path.ts';
import { forReaders } from '../pages/readers.ts';
import { factorFirst } from '../pages/required-factor.ts';
import {
  file,
  get,
  type ListedPage,
  post,
  redirect,
  redirectSlashes,
  servePages,
} from '../pages/serve-pages.ts';
import { MANIFEST, OPEN_SEARCH } from '../pages/site-links.ts';
import { STATUS_PATH, statusPage } from '../pages/status.ts';
import type { PageEnv } from '../pages/visitor.ts';
import { accentFile, logoFile } from './appearance.ts';
import { HELP_PATH, REFERENCE_PATH, readChapters, readHelp } from './chapters.ts';
import { saveColours } from './colours-choice.ts';
import { costly } from './costly-page.ts';
import { DEVELOPERS } from './developers/pages.ts';
import { documentationPage, documentationSearchPage } from './documentation.ts';
import { EXPOSED_PATH, exposedPage, revokeExposedCredentials } from './exposed-credentials.ts';
import { helpPage } from './help.ts';
import { favicon, iconFile, manifest, openSearch, touchIcon } from './icons.ts';
import { addressConfirmedPage, confirmAddress, confirmAddressPage } from './joining/email-confirmation.ts';
import { undoAddress, undoAddressPage } from './joining/email-undo.ts';
import { keepFactor, keepFactorPage } from './joining/factor-keeping.ts';
import { logIn, logInWithPasskey, loginPage } from './joining/login.ts';
import { disownActivity, notMePage } from './joining/not-me.ts';
import { untilSetUp } from './joining/not-set-up.ts';
import {
  forgottenPasswordPage,
  mailResetLink,
  newPasswordPage,
  passwordSetPage,
  resetMailedPage,
  setNewPassword,
} from './joining/password-reset.ts';
import { renamedPage } from './joining/renamed.ts';
import { secondStepPage, verifySignIn } from './joining/second-step.ts';
import { setUp, setupPage } from './joining/setup.ts';
import { signOut } from './joining/sign-out.ts';
import { signUp, signupPage } from './joining/signup.ts';
import { unsubscribe, unsubscribeForm, unsubscribePage } from './joining/unsubscribe.ts';
import { keysPage, switchKeys } from './keys.ts';
import { saveLanguage } from './language-choice.ts';
import { READING } from './lists/pages.ts';
import { SITEMAP } from './lists/sitemap.ts';
import { TAGS_PATH } from './lists/tags.ts';
import { saveView, VIEW_PATH } from './lists/view.ts';
import {
  FOLLOWING_PATH,
  followingPage,
  followMember,
  followTag,
  unfollowMember,
  unfollowTag,
} from './members/following.ts';
import { suggestMembers } from './members/mentioned.ts';
import { notificationsPage } from './members/notifications.ts';
import { redirectOldAddresses } from './old-addresses.ts';
import { MODERATING, OPERATING } from './operator/pages.ts';
import { MOST_PICTURE_BYTES, PICTURE_FIELD, PICTURES_PATH, uploadPicture } from './picture-box.ts';
import { postAuthor, postAuthorForm, postAuthorText } from './posts/author.ts';
import { autosaveDraft, autosaveNewDraft } from './posts/autosave.ts';
import { draftsPage } from './posts/drafts.ts';
import { editPostPage, newPostPage, publishPost, saveNewPost, savePost } from './posts/editing.ts';
import { addPictureToNewPost, addPictureToPost } from './posts/picture-upload.ts';
import { titledPostPage } from './posts/post.ts';
import { removeOwnPost, removePostPage } from './posts/removal.ts';
import { removedPostsPage, restoreOwnPost } from './posts/removed.ts';
import { reportApplication, reportApplicationPage } from './reactions/application-report.ts';
import { commentAuthor, commentAuthorForm, commentAuthorText } from './reactions/author.ts';
import { BOOKMARKS_PATH, bookmark, bookmarksPage, unbookmark } from './reactions/bookmarks.ts';
import {
  addPictureToComment,
  addPictureToOwnComment,
  addPictureToReply,
} from './reactions/comment-picture.ts';
import {
  addComment,
  addReply,
  editCommentPage,
  pathOfComment,
  removeCommentPage,
  removeOwnComment,
  repliesPage,
  replyPage,
  saveComment,
} from './reactions/comments.ts';
import { like, unlike } from './reactions/likes.ts';
import { reportPage, reportThanksPage, sendReport } from './reactions/report.ts';
import { referencePage } from './reference/page.ts';
import { SETTINGS } from './settings/pages.ts';
import type { SiteParts } from './site-parts.ts';
import { SECURITY_TXT, securityTxt } from './well-known.ts';
import { writtenPage } from './written.ts';

type Section = readonly ListedPage<SiteParts>[];

// With the documentation, all that a community offers before it is set up.
const SETTING_UP: Section = [
  get('/setup', everyone, setupPage),
  post('/setup', visitorForm, setUp),
  post('/language', harmlessForm, saveLanguage),
  post('/colours', harmlessForm, saveColours),
  redirect('/colours', () => '/'),
];

// They are on every page.
const APPEARANCE: Section = [
  file('/logo/:file{[0-9a-f]{12}\\.png}', everyone, logoFile),
  file('/icons/:file{[0-9a-z]{2,8}-[0-9a-f]{12}\\.png}', everyone, iconFile),
  file(MANIFEST, everyone, manifest),
  file(OPEN_SEARCH, everyone, openSearch),
  redirect('/favicon.ico', favicon),
  redirect('/apple-touch-icon.png', touchIcon),
  file('/accent/:file{[0-9a-f]{12}\\.css}', everyone, accentFile),
];

const JOINING: Section = [
  get('/login', everyone, loginPage),
  post('/login', visitorForm, logIn),
  post('/login/passkey', visitorForm, logInWithPasskey),
  redirect('/login/passkey', () => '/login'),
  get('/login/verify', everyone, secondStepPage),
  post('/login/verify', visitorForm, verifySignIn),
  get('/renamed', member, renamedPage),
  post('/logout', visitorForm, signOut),
  get('/signup', everyone, signupPage),
  post('/signup', visitorForm, signUp),
  get('/forgot-password', everyone, forgottenPasswordPage),
  post('/forgot-password', visitorForm, mailResetLink),
  get('/forgot-password/sent', everyone, resetMailedPage),
  get('/reset-password', everyone, newPasswordPage),
  post('/reset-password', visitorForm, setNewPassword),
  get('/reset-password/done', everyone, passwordSetPage),
  get('/email/confirm', everyone, confirmAddressPage),
  post('/email/confirm', memberForm, confirmAddress),
  get('/email/confirm/done', everyone, addressConfirmedPage),
  get('/email/undo', everyone, undoAddressPage),
  post('/email/undo', visitorForm, undoAddress),
  get('/second-factor/keep', everyone, keepFactorPage),
  post('/second-factor/keep', visitorForm, keepFactor),
  get('/unsubscribe', everyone, unsubscribePage),
  post('/unsubscribe', unsubscribeForm, unsubscribe),
  get('/not-me', everyone, notMePage),
  post('/not-me', visitorForm, disownActivity),
];

// A visitor who had to sign in after pressing a button comes back with GET. Redirects lead to the page that has
// the button.
const pictureUpload = textUpload(PICTURE_FIELD, MOST_PICTURE_BYTES);

const WRITING: Section = [
  get('/write', member, newPostPage),
  post('/write', memberText, saveNewPost),
  post('/write/autosave', memberForm, autosaveNewDraft),
  post('/write/picture', pictureUpload, addPictureToNewPost),
  redirect('/write/picture', () => '/write'),
  post(PICTURES_PATH, pictureUpload, uploadPicture),
  get('/drafts', member, draftsPage),
  file('/members/suggestions', member, suggestMembers),
  get('/posts/removed', member, costly(removedPostsPage)),
  get(belowPost('edit'), postAuthor, editPostPage),
  post(belowPost('edit'), postAuthorText, savePost),
  post(belowPost('autosave'), memberForm, autosaveDraft),
  post(`${belowPost('edit')}/picture`, pictureUpload, addPictureToPost),
  redirect(`${belowPost('edit')}/picture`, (_, c) => `/posts/${c.req.param('id')}/edit`),
  post(belowPost('publish'), postAuthorForm, publishPost),
  redirect(belowPost('publish'), (_, c) => `/posts/${c.req.param('id')}`),
  get(belowPost('remove'), postAuthor, removePostPage),
  post(belowPost('remove'), postAuthorForm, removeOwnPost),
  post(belowPost('restore'), memberForm, costly(restoreOwnPost)),
  redirect(belowPost('restore'), () => '/posts/removed'),
];

const COMMENT_PATH = `/comments/:id${NUMBER}`;

const REACTIONS: Section = [
  post(belowPost('like'), memberForm, like),
  post(belowPost('unlike'), memberForm, unlike),
  redirect(belowPost('like'), (_, c) => `/posts/${c.req.param('id')}#reactions`),
  redirect(belowPost('unlike'), (_, c) => `/posts/${c.req.param('id')}#reactions`),
  post(belowPost('bookmark'), memberForm, bookmark),
  post(belowPost('unbookmark'), memberForm, unbookmark),
  redirect(belowPost('bookmark'), (_, c) => `/posts/${c.req.param('id')}#reactions`),
  redirect(belowPost('unbookmark'), (_, c) => `/posts/${c.req.param('id')}#reactions`),
  get(BOOKMARKS_PATH, member, bookmarksPage),
  get(FOLLOWING_PATH, member, costly(followingPage)),
  post('/u/:username/follow', memberForm, followMember),
  post('/u/:username/unfollow', memberForm, unfollowMember),
  redirect('/u/:username/follow', (_, c) => memberPath(c.req.param('username') ?? '')),
  redirect('/u/:username/unfollow', (_, c) => memberPath(c.req.param('username') ?? '')),
  post(`${TAGS_PATH}/:tag/follow`, memberForm, followTag),
  post(`${TAGS_PATH}/:tag/unfollow`, memberForm, unfollowTag),
  redirect(`${TAGS_PATH}/:tag/follow`, (_, c) => tagPath(c.req.param('tag') ?? '')),
  redirect(`${TAGS_PATH}/:tag/unfollow`, (_, c) => tagPath(c.req.param('tag') ?? '')),
  post(belowPost('comments'), memberText, addComment),
  redirect(belowPost('comments'), (_, c) => `/posts/${c.req.param('id')}#comments`),
  post(`${belowPost('comments')}/picture`, pictureUpload, addPictureToComment),
  redirect(`${belowPost('comments')}/picture`, (_, c) => `/posts/${c.req.param('id')}#comments`),
  redirect(COMMENT_PATH, pathOfComment),
  get(`${COMMENT_PATH}/replies`, everyone, repliesPage),
  get(`${COMMENT_PATH}/reply`, member, replyPage),
  post(`${COMMENT_PATH}/reply`, memberText, addReply),
  post(`${COMMENT_PATH}/reply/picture`, pictureUpload, addPictureToReply),
  redirect(`${COMMENT_PATH}/reply/picture`, (_, c) => `/comments/${c.req.param('id')}/reply`),
  get(`${COMMENT_PATH}/edit`, commentAuthor, editCommentPage),
  post(`${COMMENT_PATH}/edit`, commentAuthorText, saveComment),
  post(`${COMMENT_PATH}/edit/picture`, pictureUpload, addPictureToOwnComment),
  redirect(`${COMMENT_PATH}/edit/picture`, (_, c) => `/comments/${c.req.param('id')}/edit`),
  get(`${COMMENT_PATH}/remove`, commentAuthor, removeCommentPage),
  post(`${COMMENT_PATH}/remove`, commentAuthorForm, removeOwnComment),
  get('/report', member, reportPage),
  post('/report', memberText, sendReport),
  get('/report/thanks', member, reportThanksPage),
  get('/report/application', member, reportApplicationPage),
  post('/report/application', memberText, reportApplication),
  get('/notifications', member, notificationsPage),
];

const DOCUMENTATION: Section = [
  get(HELP_PATH, everyone, helpPage),
  // Where the database doesn't answer, it is shown before this list.
  get(STATUS_PATH, everyone, (site, c) => statusPage(site, c, true)),
  get('/keys', everyone, keysPage),
  post('/keys', harmlessForm, switchKeys),
  post(VIEW_PATH, harmlessForm, saveView),
  redirect(VIEW_PATH, () => '/'),
  get('/rules', everyone, writtenPage),
  get('/about', everyone, writtenPage),
  get('/privacy', everyone, writtenPage),
  get('/terms', everyone, writtenPage),
  get('/docs', everyone, documentationPage),
  get('/docs/search', everyone, documentationSearchPage),
  get(REFERENCE_PATH, everyone, referencePage),
  get('/docs/:chapter', everyone, documentationPage),
  get('/docs/errors/:code', everyone, documentationPage),
  get(EXPOSED_PATH, everyone, exposedPage),
  post(EXPOSED_PATH, visitorForm, revokeExposedCredentials),
  file(SECURITY_TXT, everyone, securityTxt),
  // W3C, A Well-Known URL for Changing Passwords.
  redirect('/.well-known/change-password', () => '/settings/security'),
];

/** The pages that are open to everyone, also on a site that only members can read. */
export const OPEN_PAGES: Section = [...SETTING_UP, ...APPEARANCE, ...JOINING, ...DOCUMENTATION];

const OTHER_PAGES: Section = [
  ...READING,
  ...WRITING,
  ...REACTIONS,
  ...SETTINGS,
  ...DEVELOPERS,
  ...MODERATING,
  ...OPERATING,
  // Last, because the slug matches the paths of all other pages below a post.
  get(`${POST_PATH}/:slug`, everyone, titledPostPage),
];

/** The list of all pages. */
export const SITE_PAGES: Section = [...OPEN_PAGES, ...OTHER_PAGES];

/** Serve all pages of the site. `identifyVisitor` must run before them. */
export function sitePages(own: Omit<SiteParts, 'chapters' | 'help'>): Hono<PageEnv> {
  const chapters = readChapters(own.site.baseUrl, own.oauth.brand);
  const parts = { ...own, chapters, help: readHelp() };
  const app = new Hono<PageEnv>();
  app.use(redirectOldAddresses(parts));
  app.on('GET', [SITEMAP, '/sitemap/*'], etag());
  const setUpFirst = untilSetUp(parts);
  for (const { method, path } of [...JOINING, ...OTHER_PAGES]) app.on(method, path, setUpFirst);
  app.route('/', servePages(OPEN_PAGES, parts));
  // Every address that is not among the open ones, even one that has no page.
  app.use(forReaders);
  app.use(factorFirst(parts.identity));
  app.route('/', servePages(OTHER_PAGES, parts));
  return app.route('/', redirectSlashes(SITE_PAGES));
}
