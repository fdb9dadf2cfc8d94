// The three ways in which a member gives a picture to a text: choosing, pasting and dropping it, as Chromium does them.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** Give a picture to the form of the page. `folder` is for a file that is dragged. */
export type Gesture = (page: Page, picture: Buffer, folder: string) => Promise<void>;

/** Choose the picture in the field for files. */
export const choose: Gesture = (page, buffer) =>
  page.setInputFiles('#picture', { name: 'chosen.png', mimeType: 'image/png', buffer });

/** Paste the picture from the clipboard. */
export const paste: Gesture = async (page, picture) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.fromBase64('${picture.toString('base64')}');
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })]);
  })()`);
  await page.press('#body', 'ControlOrMeta+v');
};

/** Drag the file of the picture from another program onto the text, and drop it. */
export const drop: Gesture = async (page, picture, folder) => {
  const file = join(folder, 'dropped.png');
  await writeFile(file, picture);
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('#body').boundingBox()) ?? {};
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files: [file], dragOperationsMask: 1 };
    await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  }
  await session.detach();
};

/** Draw one of three landscapes: hills under a sky, in PNG. */
export function landscape(index: number): Promise<Buffer> {
  const [sky, hills] = COLOURS[index] ?? [];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800" viewBox="0 0 12 8">
    <path fill="${sky}" d="M0 0h12v8H0z"/><circle cx="9" cy="2.4" r=".9" fill="#fff3d6"/>
    <path fill="${hills}" opacity=".6" d="M0 6q3-3 6-1t6-1v4H0z"/>
    <path fill="${hills}" d="M0 7q3-2 6 0t6-.6V8H0z"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const COLOURS = [
  ['#f3c98b', '#8a5a3c'],
  ['#a9c7d6', '#4f7355'],
  ['#3b4a6b', '#1f2638'],
] as const;
