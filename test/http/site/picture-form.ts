// The form for a member's picture, and pictures to upload with it.

import sharp from 'sharp';
import { type Browser, formIn } from '../../support/browser.ts';

/** The path of the page with the form. */
export const PROFILE = '/settings/profile';
/** The path that the form is sent to. */
export const PICTURE = '/settings/profile/picture';

/** Draw a PNG of one colour. */
export function drawPicture(background = '#1010d0', width = 300, height = 300): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Send the form with this file, and with these fields in place of the page's own. */
export async function uploadPicture(
  browser: Browser,
  file: Uint8Array,
  fields: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of formIn(await browser.read(PROFILE), PICTURE)) {
    if (name !== 'picture') form.append(name, fields[name] ?? value);
  }
  form.append('picture', new Blob([new Uint8Array(file)]), '../../me.png');
  return browser.open(PICTURE, { method: 'POST', body: form });
}
