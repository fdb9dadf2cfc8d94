// The forms that add a picture to a text, without script and with it.

import assert from 'node:assert/strict';
import { type App, openApp } from '../../support/app.ts';
import { Browser, formIn } from '../../support/browser.ts';
import { type Member, member } from '../../support/people.ts';

/** Open the program with a small room for pictures, and with alice, bob and a visitor. */
export async function openPictureApp(): Promise<{ app: App; alice: Member; bob: Member; visitor: Browser }> {
  const app = await openApp({ PICTURES_PER_DAY: '40', PICTURE_QUOTA_MB: '1' });
  const [alice, bob] = [await member(app, 'alice'), await member(app, 'bob')];
  return { app, alice, bob, visitor: new Browser(app.url) };
}

/** The form of a page with a text, and the paths that its text and its picture are sent to. */
export interface TextForm {
  page: string;
  action: string;
}

export const WRITE: TextForm = { page: '/write', action: '/write' };

/** Send the form of a page with this file, as its button "Add picture" does. */
export async function addPicture(
  browser: Browser,
  file: Uint8Array,
  fields: Record<string, string> = {},
  { page, action }: TextForm = WRITE,
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of formIn(await browser.read(page), action)) {
    if (name !== 'picture') form.append(name, fields[name] ?? value);
  }
  form.append('picture', new Blob([new Uint8Array(file)]), '../../me.png');
  return browser.open(`${action}/picture`, { method: 'POST', body: form });
}

/** Send a picture as the script does. */
export async function sendPicture(browser: Browser, file: Uint8Array, formToken?: string): Promise<Response> {
  const form = new FormData();
  const page = formToken === undefined ? formIn(await browser.read('/write'), '/write') : [];
  const [, token = ''] = [...page].find(([name]) => name === 'form_token') ?? [];
  form.append('form_token', formToken ?? token);
  form.append('picture', new Blob([new Uint8Array(file)]), 'picture');
  return browser.open('/pictures', { method: 'POST', body: form });
}

/** Upload a picture. Returns its path. */
export async function uploadedPath(browser: Browser, file: Uint8Array): Promise<string> {
  const answer = await sendPicture(browser, file);
  const { markdown = '' } = (await answer.json()) as { markdown?: string };
  const [, path = ''] = /^!\[\]\((.+)\)$/.exec(markdown) ?? [];
  assert.notEqual(path, '', `${answer.status}`);
  return path;
}

/** The text in the text field of a page. */
export function textIn(page: string): string {
  const [, text = ''] = /<textarea[^>]*name="body"[^>]*>\n?([^<]*)<\/textarea>/.exec(page) ?? [];
  return text.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&#39;', "'");
}
