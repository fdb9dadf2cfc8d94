// A small chart of counts a day. Its numbers are also there as text: as a label, and as a tooltip on each bar.

import { html } from 'hono/html';
import { bilingual, type Language } from './language.ts';
import { countOf } from './moments.ts';
import type { Html } from './page.ts';

export interface DayCount {
  /** Such as 2027-01-31. */
  day: string;
  count: number;
}

const HEIGHT = 32;
const STEP = 8;
const WIDTH = 6;
const LEAST_HEIGHT = 2;

/** Draw a bar for each day. `selected` is marked. */
export function dayBars(days: readonly DayCount[], language: Language, selected?: string): Html {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const label = words[language].label(countOf(total), days.length);
  return html`
    <svg class="bars" role="img" aria-label="${label}" preserveAspectRatio="none"
      viewBox="0 0 ${days.length * STEP} ${HEIGHT}">
      ${days.map((day, index) => bar(day, index, most, day.day === selected))}
    </svg>`;
}

function bar({ day, count }: DayCount, index: number, most: number, isSelected: boolean): Html {
  const height = count === 0 ? 1 : Math.max(LEAST_HEIGHT, Math.round((count / most) * HEIGHT));
  const x = index * STEP;
  return html`
    <rect class="${isSelected ? 'here' : count === 0 ? 'none' : 'some'}" x="${x}" y="${HEIGHT - height}"
      width="${WIDTH}" height="${height}"><title>${day}: ${countOf(count)}</title></rect>`;
}

const words = bilingual(
  { label: (count: string, days: number) => `${count} requests in ${days} days` },
  { label: (count, days) => `${days} 天内 ${count} 次请求` },
);
