// The list of the developer console's pages, and who may open them.

import { member, memberForm } from '../../pages/guards.ts';
import { file, get, type ListedPage, post, redirect } from '../../pages/serve-pages.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { costly } from '../costly-page.ts';
import type { SiteParts } from '../site-parts.ts';
import { appsPage } from './apps.ts';
import { CALLBACK_CHECK_PATH, checkCallback } from './callback-check.ts';
import { codePage } from './code.ts';
import { changeEvents, eventsPage } from './events.ts';
import { APP_PATH, appOwner, appOwnerForm, appOwnerUpload, CONSOLE_PATH, provenOwnerForm } from './frame.ts';
import { newAppPage, registerApp } from './new-app.ts';
import { answerOffer, OFFERS_PATH } from './offers.ts';
import { overviewPage } from './overview.ts';
import { appReader, requestEvents, requestsPage } from './requests.ts';
import { endSecret, newSecret, secretsPage } from './secrets.ts';
import { appSettingsPage, removeAppLogo, saveAppLogo, saveAppSettings } from './settings.ts';
import { changeStatus, statusPage } from './status.ts';
import { trialPage } from './trial.ts';
import { finishTrial, trialOwner, trialReturnPage } from './trial-return.ts';

function toSettings(_: SiteParts, c: PageContext): string {
  return `${CONSOLE_PATH}/${c.req.param('client_id')}/settings`;
}

/** All of them. */
export const DEVELOPERS: readonly ListedPage<SiteParts>[] = [
  redirect('/developers', () => CONSOLE_PATH),
  get(CONSOLE_PATH, member, costly(appsPage)),
  get(`${CONSOLE_PATH}/new`, member, newAppPage),
  post(`${CONSOLE_PATH}/new`, memberForm, registerApp),
  file(CALLBACK_CHECK_PATH, member, checkCallback),
  post(OFFERS_PATH, memberForm, answerOffer),
  redirect(OFFERS_PATH, () => CONSOLE_PATH),
  get(APP_PATH, appOwner, costly(overviewPage)),
  get(`${APP_PATH}/settings`, appOwner, appSettingsPage),
  post(`${APP_PATH}/settings`, appOwnerForm, saveAppSettings),
  post(`${APP_PATH}/logo`, appOwnerUpload, saveAppLogo),
  post(`${APP_PATH}/logo/remove`, appOwnerForm, removeAppLogo),
  redirect(`${APP_PATH}/logo/remove`, toSettings),
  redirect(`${APP_PATH}/logo`, toSettings),
  get(`${APP_PATH}/secrets`, appOwner, secretsPage),
  post(`${APP_PATH}/secrets`, provenOwnerForm, newSecret),
  post(`${APP_PATH}/secrets/end`, appOwnerForm, endSecret),
  redirect(`${APP_PATH}/secrets/end`, (_, c) => `${CONSOLE_PATH}/${c.req.param('client_id')}/secrets`),
  get(`${APP_PATH}/events`, appOwner, eventsPage),
  post(`${APP_PATH}/events`, appOwnerForm, changeEvents),
  get(`${APP_PATH}/code`, appOwner, codePage),
  get(`${APP_PATH}/try`, appOwner, trialPage),
  post(`${APP_PATH}/try`, appOwnerForm, finishTrial),
  get(`${APP_PATH}/try/return`, trialOwner, trialReturnPage),
  get(`${APP_PATH}/status`, appOwner, costly(statusPage)),
  post(`${APP_PATH}/status`, appOwnerForm, changeStatus),
  get(`${APP_PATH}/requests`, appReader, requestsPage),
  file(`${APP_PATH}/requests/events`, appReader, requestEvents),
];
