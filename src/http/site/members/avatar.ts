// Members' pictures: the picture that a member chose, or a drawing of arches made from the member's id.

import { createHash } from 'node:crypto';
import { notFoundPage } from '../../pages/failures.ts';
import { INERT_HEADERS, uploadedPicture } from '../../pages/picture.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

/** Answer with the drawing for a member who has not chosen a picture. */
export function drawnAvatar(_: SiteParts, c: PageContext): Response {
  const id = Number(c.req.param('file')?.slice(0, -'.svg'.length));
  return c.body(avatarOf(id), 200, {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': 'public, max-age=86400',
    ...INERT_HEADERS,
  });
}

/** Answer with the picture that a member chose. */
export async function chosenAvatar({ identity }: SiteParts, c: PageContext): Promise<Response> {
  const [id = '', version = ''] = c.req.param('file')?.slice(0, -'.webp'.length).split('-') ?? [];
  const image = await identity.reads.findAvatar(Number(id), version);
  return image === undefined ? notFoundPage(c) : uploadedPicture(c, image, 'image/webp');
}

/** Draw the picture of this member as SVG: the same id always gives the same picture. */
export function avatarOf(id: number): string {
  const bytes = createHash('sha256').update(`avatar ${id}`).digest();
  const pick = <T>(index: number, from: readonly T[]): T => from[(bytes[index] ?? 0) % from.length] as T;
  const [wall, arch, door] = pick(0, PALETTES);
  const sun = pick(1, [14, 32, 50]);
  const parts = [
    `<rect width="64" height="64" fill="${wall}"/>`,
    pick(2, [true, false]) ? `<circle cx="${sun}" cy="13" r="5" fill="${door}"/>` : '',
    pick(3, ARRANGEMENTS).map(([x, width, top]) => archAt(x, width, top, arch, door)),
    `<rect y="57" width="64" height="7" fill="${arch}"/>`,
  ];
  const drawing = parts.flat().join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">${drawing}</svg>`;
}

// Wall, arch, door.
const PALETTES = [
  ['#f0d9c0', '#9a3f1b', '#f7c873'],
  ['#cfe0d6', '#2f5d50', '#f2b880'],
  ['#d6dcec', '#35477d', '#f4d58d'],
  ['#f3d3cf', '#8c3b4a', '#ffe3b3'],
  ['#e4dcef', '#5b4282', '#e9b872'],
  ['#dbe6c4', '#4d6b24', '#f3a712'],
  ['#fbe3b5', '#8a5a00', '#fff6e0'],
  ['#cde7ea', '#1f6f78', '#ffd6a5'],
  ['#2f3e46', '#cad2c5', '#d98e5f'],
  ['#5a2a27', '#e7bc91', '#fff1d6'],
  ['#22304f', '#c8d5f0', '#f2b84b'],
  ['#eae3d6', '#4a4640', '#c9643b'],
] as const;

// Left edge, width and top of each arch.
const ARRANGEMENTS: readonly (readonly [number, number, number][])[] = [
  [[14, 36, 14]],
  [
    [7, 23, 26],
    [34, 23, 26],
  ],
  [
    [6, 15, 34],
    [23, 18, 22],
    [43, 15, 34],
  ],
  [
    [8, 30, 18],
    [41, 15, 36],
  ],
  [
    [8, 15, 36],
    [26, 30, 18],
  ],
];

function archAt(x: number, width: number, top: number, arch: string, door: string): string {
  const inset = width / 4;
  const outer = archPath(x, width, top);
  const inner = archPath(x + inset, width - 2 * inset, top + inset);
  return `<path d="${outer}" fill="${arch}"/><path d="${inner}" fill="${door}"/>`;
}

function archPath(x: number, width: number, top: number): string {
  const radius = width / 2;
  return `M${x} 57V${top + radius}a${radius} ${radius} 0 0 1 ${width} 0V57z`;
}
