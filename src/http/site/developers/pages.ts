// The list of the developer console's pages, and who may open them.

import { member, memberForm } from '../../pages/guards.ts';
import { file, get, type ListedPage, post, redirect } from '../../pages/serve-pages.ts';
import type { SiteParts } from '../site-parts.ts';
import { appsPage } from './apps.ts';
import { CALLBACK_CHECK_PATH, checkCallback } from './callback-check.ts';
import { APP_PATH, appOwner, CONSOLE_PATH } from './frame.ts';
import { newAppPage, registerApp } from './new-app.ts';
import { overviewPage } from './overview.ts';

/** All of them. */
export const DEVELOPERS: readonly ListedPage<SiteParts>[] = [
  redirect('/developers', () => CONSOLE_PATH),
  get(CONSOLE_PATH, member, appsPage),
  get(`${CONSOLE_PATH}/new`, member, newAppPage),
  post(`${CONSOLE_PATH}/new`, memberForm, registerApp),
  file(CALLBACK_CHECK_PATH, member, checkCallback),
  get(APP_PATH, appOwner, overviewPage),
];
