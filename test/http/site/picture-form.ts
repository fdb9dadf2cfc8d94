// The forms for a member's picture and for logos, and pictures to upload with it.

import sharp from 'sharp';
import { type Browser, formIn } from '../../support/browser.ts';

/** The path of the page with the form. */
export const PROFILE = '/settings/profile';
/** The path of the page with the form for the logo. */
export const SETTINGS = '/operator/settings';
/** The path that the form is sent to. */
export const PICTURE = '/settings/profile/picture';

/** Draw a PNG of one colour. */
export function drawPicture(background = '#1010d0', width = 300, height = 300): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Send the form with this file, and with these fields in place of the page's own. */
export function uploadPicture(
  browser: Browser,
  file: Uint8Array,
  fields: Record<string, string> = {},
): Promise<Response> {
  return upload(browser, { page: PROFILE, action: PICTURE, field: 'picture' }, file, fields);
}

/** Send the form for the community's logo with this file. */
export function uploadLogo(browser: Browser, file: Uint8Array): Promise<Response> {
  return upload(browser, { page: SETTINGS, action: `${SETTINGS}/logo`, field: 'logo' }, file);
}

/** Send the form for the logo of an application with this file. */
export function uploadAppLogo(browser: Browser, { id }: { id: string }, file: Uint8Array): Promise<Response> {
  const page = `/developers/apps/${id}`;
  return upload(browser, { page: `${page}/settings`, action: `${page}/logo`, field: 'logo' }, file);
}

async function upload(
  browser: Browser,
  { page, action, field }: { page: string; action: string; field: string },
  file: Uint8Array,
  fields: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of formIn(await browser.read(page), action)) {
    if (name !== field) form.append(name, fields[name] ?? value);
  }
  form.append(field, new Blob([new Uint8Array(file)]), '../../me.png');
  return browser.open(action, { method: 'POST', body: form });
}
