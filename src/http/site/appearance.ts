// The logo and the style sheet with the accent colour, which every page uses.

import { accentStyle } from '../pages/appearance.ts';
import { notFoundPage } from '../pages/failures.ts';
import { uploadedPicture } from '../pages/picture.ts';
import type { PageContext } from '../pages/visitor.ts';
import { FOREVER } from '../static-files.ts';
import type { SiteParts } from './site-parts.ts';

/** Answer with the logo. */
export async function logoFile({ site }: SiteParts, c: PageContext): Promise<Response> {
  const version = c.req.param('file')?.slice(0, -'.png'.length) ?? '';
  const image = await site.reads.findLogo(version);
  return image === undefined ? notFoundPage(c) : uploadedPicture(c, image, 'image/png');
}

/** Answer with the style sheet of the current accent. */
export function accentFile(_: SiteParts, c: PageContext): Response | Promise<Response> {
  const { accent } = c.get('site');
  const { path, text } = accentStyle(accent);
  if (accent === '' || c.req.path !== path) return notFoundPage(c);
  return c.body(text, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': FOREVER });
}
