// The addresses of the logo and of the style sheet with the accent colour. Each has a fingerprint of the content, so
// that browsers can keep it.

import { memoize } from '../../lib/remember.ts';
import { shadesOf } from '../../site/accent.ts';
import { fingerprint } from '../static-files.ts';

/** Return the path of the logo of this version. */
export function logoPath(version: string): string {
  return `/logo/${version}.png`;
}

/** Return the version of the icons, which changes with the logo and the accent. */
export function iconVersion({ logo, accent }: { logo: string; accent: string }): string {
  return versionOfIcons(`1 ${logo} ${accent}`);
}

const versionOfIcons = memoize(fingerprint, 10);

/** Return the path of an icon of this size. */
export function iconPath(site: { logo: string; accent: string }, size: string): string {
  return `/icons/${size}-${iconVersion(site)}.png`;
}

/** Return the style sheet for an accent. It follows style.css, which has the standard colours. */
export const accentStyle = memoize((accent: string): { path: string; text: string } => {
  const { light, dark } = shadesOf(accent);
  const text = `:root {\n  --accent: light-dark(${light}, ${dark});\n}\n`;
  return { path: `/accent/${fingerprint(text)}.css`, text };
}, 10);
