// The list of the pages on which members set up their accounts.

import { MOST_PICTURE_BYTES } from '../../../identity/avatar.ts';
import { member, memberForm, memberUpload } from '../../pages/guards.ts';
import { NUMBER } from '../../pages/numbers.ts';
import type { ListedPage } from '../../pages/serve-pages.ts';
import { get, post, redirect } from '../../pages/serve-pages.ts';
import { costly } from '../costly-page.ts';
import { confirmed, passwordForm, provenForm, provenMember } from '../proof.ts';
import type { SiteParts } from '../site-parts.ts';
import { accessPage, revokeAccess } from './access.ts';
import { accountPage, closeAccount, closeAccountPage } from './account.ts';
import { appPage, removeAppPage } from './app.ts';
import {
  appPathOf,
  downloadReceipt,
  endSignIn,
  narrowApp,
  pauseApp,
  pauseForm,
  removeApp,
} from './app-acts.ts';
import { appsPage, removeApps } from './apps.ts';
import { browsersPage, signOutBrowserPage, signOutBrowsers } from './browsers.ts';
import { diaryPage, saveDiaryChoice } from './diary.ts';
import { downloadDiary } from './diary-export.ts';
import { downloadData } from './export.ts';
import {
  appSetupPage,
  finishAppSetup,
  keepOwnFactors,
  makeRecoveryCodes,
  removeAuthenticator,
  removeAuthenticatorPage,
  startAppSetup,
} from './factors.ts';
import { FOLLOWED_PATH, followedPage } from './followed.ts';
import { keptDataPage } from './kept-data.ts';
import { LINKS_PATH } from './links.ts';
import { mailsPage, saveMails } from './mails.ts';
import { pacedFactors, pacedSignOuts } from './paced.ts';
import { addPasskey, changePasskey, newPasskeyPage, passkeyPage } from './passkeys.ts';
import { profilePage, removePicture, saveLinks, savePicture, saveProfile } from './profile.ts';
import { changeAddress, changeOwnPassword, mailConfirmationAgain, securityPage } from './security.ts';
import { securityLogPage } from './security-log.ts';
import { editTokenPage, saveToken } from './token-edit.ts';
import { regenerateToken, regenerateTokenPage } from './token-regenerate.ts';
import { revokeAllTokens, revokeAllTokensPage, revokeToken, revokeTokenPage } from './token-revoke.ts';
import { testToken } from './token-test.ts';
import { createToken, tokenFormPath, tokensPage } from './tokens.ts';

/** All of them. */
export const SETTINGS: readonly ListedPage<SiteParts>[] = [
  redirect('/settings', () => '/settings/profile'),
  get('/settings/profile', member, profilePage),
  post('/settings/profile', memberForm, saveProfile),
  post('/settings/profile/picture', memberUpload('picture', MOST_PICTURE_BYTES), savePicture),
  redirect('/settings/profile/picture', () => '/settings/profile'),
  post('/settings/profile/picture/remove', memberForm, removePicture),
  post(LINKS_PATH, memberForm, saveLinks),
  redirect(LINKS_PATH, () => '/settings/profile'),
  get('/settings/security', member, securityPage),
  post('/settings/security/email', passwordForm, changeAddress),
  post('/settings/security/email/again', memberForm, mailConfirmationAgain),
  post('/settings/security/password', passwordForm, changeOwnPassword),
  get('/settings/security/confirm', provenMember, confirmed),
  post('/settings/security/confirm', provenForm, confirmed),
  post('/settings/security/app/start', provenForm, pacedFactors(startAppSetup)),
  redirect('/settings/security/app/start', () => '/settings/security'),
  get('/settings/security/app', provenMember, appSetupPage),
  post('/settings/security/app', provenForm, finishAppSetup),
  get('/settings/security/app/remove', member, removeAuthenticatorPage),
  post('/settings/security/app/remove', provenForm, removeAuthenticator),
  post('/settings/security/factors/keep', memberForm, keepOwnFactors),
  redirect('/settings/security/factors/keep', () => '/settings/security'),
  get('/settings/security/passkeys', provenMember, newPasskeyPage),
  post('/settings/security/passkeys', provenForm, pacedFactors(addPasskey)),
  get(`/settings/security/passkeys/:id${NUMBER}`, member, passkeyPage),
  post(`/settings/security/passkeys/:id${NUMBER}`, provenForm, changePasskey),
  post('/settings/security/recovery-codes', provenForm, pacedFactors(makeRecoveryCodes)),
  redirect('/settings/security/recovery-codes', () => '/settings/security'),
  get('/settings/security/access', member, costly(accessPage)),
  post('/settings/security/access', memberForm, revokeAccess),
  get('/settings/browsers', member, costly(browsersPage)),
  get('/settings/browsers/sign-out', member, signOutBrowserPage),
  post('/settings/browsers/sign-out', provenForm, pacedSignOuts(signOutBrowsers)),
  get('/settings/security-log', member, securityLogPage),
  get('/settings/apps', member, costly(appsPage)),
  redirect('/settings/apps/remove', () => '/settings/apps'),
  post('/settings/apps/remove', memberForm, removeApps),
  get('/settings/apps/:client_id', member, costly(appPage)),
  get('/settings/apps/:client_id/remove', member, removeAppPage),
  post('/settings/apps/:client_id/remove', memberForm, removeApp),
  redirect('/settings/apps/:client_id/scopes', appPathOf),
  redirect('/settings/apps/:client_id/pause', appPathOf),
  redirect('/settings/apps/:client_id/sign-ins', appPathOf),
  redirect('/settings/apps/:client_id/receipt', appPathOf),
  post('/settings/apps/:client_id/receipt', memberForm, downloadReceipt),
  post('/settings/apps/:client_id/scopes', memberForm, narrowApp),
  post('/settings/apps/:client_id/pause', pauseForm, pauseApp),
  post('/settings/apps/:client_id/sign-ins', memberForm, endSignIn),
  get('/settings/tokens', member, costly(tokensPage)),
  post('/settings/tokens', provenForm, createToken),
  redirect('/settings/tokens/new', tokenFormPath),
  post('/settings/tokens/test', memberForm, testToken),
  redirect('/settings/tokens/test', () => '/settings/tokens#test'),
  get(`/settings/tokens/:id${NUMBER}/revoke`, member, revokeTokenPage),
  post(`/settings/tokens/:id${NUMBER}/revoke`, memberForm, revokeToken),
  get(`/settings/tokens/:id${NUMBER}/edit`, member, editTokenPage),
  post(`/settings/tokens/:id${NUMBER}/edit`, memberForm, saveToken),
  get(`/settings/tokens/:id${NUMBER}/regenerate`, member, regenerateTokenPage),
  post(`/settings/tokens/:id${NUMBER}/regenerate`, provenForm, regenerateToken),
  get('/settings/tokens/revoke-all', member, revokeAllTokensPage),
  post('/settings/tokens/revoke-all', memberForm, revokeAllTokens),
  get('/settings/mails', member, mailsPage),
  post('/settings/mails', memberForm, saveMails),
  get('/settings/diary', member, costly(diaryPage)),
  post('/settings/diary', provenForm, saveDiaryChoice),
  post('/settings/diary/export', memberForm, downloadDiary),
  get(FOLLOWED_PATH, member, followedPage),
  get('/settings/account', member, accountPage),
  get('/settings/account/data', member, keptDataPage),
  post('/settings/account/export', memberForm, downloadData),
  get('/settings/account/close', member, closeAccountPage),
  post('/settings/account/close', passwordForm, closeAccount),
];
