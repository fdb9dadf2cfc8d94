// The form with which a member chooses a picture, and pictures to send with it.

import sharp from 'sharp';
import { type Browser, formIn } from '../../support/browser.ts';

/** The page with the form. */
export const PROFILE = '/settings/profile';
/** Where the form is sent. */
export const PICTURE = '/settings/profile/picture';

/** Draws a PNG of one colour. */
export function drawPicture(background = '#1010d0', width = 300, height = 300): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Sends the form with this file, and these fields instead of the page's own. */
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
