// The accent colour of links, buttons and marks. Operators choose it for light pages. Dark pages have a lighter
// shade of it, so that text in it can be read on both.

/** The contrast that text needs (WCAG 2.2 §1.4.3, level AA). */
export const ENOUGH_CONTRAST = 4.5;

/** The accent of a site whose operators chose none, on light pages, as in style.css. */
export const STANDARD_ACCENT = '#9a3f1b';

/** The colours around the accent, as in style.css. */
export const THEMES = {
  light: { paper: '#fbf8f3', card: '#ffffff', onAccent: '#ffffff' },
  dark: { paper: '#171614', card: '#201e1b', onAccent: '#1b1410' },
} as const;

/** How much of the accent is in the tint behind chosen entries, as in style.css. */
export const TINT = 0.11;

export type Theme = (typeof THEMES)[keyof typeof THEMES];

/** The accent, as `#rrggbb`. */
export interface Accent {
  light: string;
  dark: string;
}

/** Why a text can't be the accent: it is no colour, or its contrast on light pages is too low. */
export type AccentProblem =
  | { problem: 'not_a_colour' }
  | { problem: 'contrast'; ratio: number; nearest: string };

/** Read an accent for the settings. Returns undefined for one that has a problem. Empty: the standard one. */
export function readAccent(text: string): string | undefined {
  return problemWithAccent(text) === undefined ? colourIn(text) : undefined;
}

/** Report what is wrong with an accent. `nearest` is the first darker shade with enough contrast. */
export function problemWithAccent(text: string): AccentProblem | undefined {
  const colour = colourIn(text);
  if (colour === undefined) return { problem: 'not_a_colour' };
  if (colour === '') return undefined;
  const ratio = contrastOn(THEMES.light, colour);
  if (ratio >= ENOUGH_CONTRAST) return undefined;
  return { problem: 'contrast', ratio, nearest: shadeFor(THEMES.light, colour, '#000000') };
}

/** Return the shades of an accent that has no problem. */
export function shadesOf(accent: string): Accent {
  return { light: accent, dark: shadeFor(THEMES.dark, accent, '#ffffff') };
}

/** The lowest contrast that an accent has anywhere on the pages: as text, and below the text of a button. */
export function contrastOn({ paper, card, onAccent }: Theme, accent: string): number {
  const tinted = [paper, card].map((ground) => mix(ground, accent, TINT));
  return Math.min(...[paper, card, onAccent, ...tinted].map((colour) => contrast(colour, accent)));
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [lower = 0, higher = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

function colourIn(text: string): string | undefined {
  const [, digits] = /^#?([0-9a-f]{6})?$/.exec(text.trim().toLowerCase()) ?? [undefined, 'none'];
  if (digits === undefined) return '';
  return digits === 'none' ? undefined : `#${digits}`;
}

const STEPS = 255;

// The way leads to white on dark pages and to black on light ones, so it ends with enough contrast.
function shadeFor(theme: Theme, colour: string, towards: string): string {
  for (let step = 0; step < STEPS; step += 1) {
    const shade = mix(colour, towards, step / STEPS);
    if (contrastOn(theme, shade) >= ENOUGH_CONTRAST) return shade;
  }
  return towards;
}

function mix(from: string, to: string, share: number): string {
  const [start, end] = [channelsOf(from), channelsOf(to)];
  const mixed = start.map((value, index) => Math.round(value + ((end[index] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
