// What is wrong with a page in Chromium: barriers that axe-core finds, layout shifts, and a page wider than its screen.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A heading that is rebalanced while the page loads shifts less than this; a picture without a size, far more. */
export const MOST_SHIFT = 0.01;

export interface Examination {
  /** The violations that axe-core finds, with rule and place. */
  barriers: string[];
  /** The sum of all layout shifts since the page was opened. */
  shift: number;
  isWiderThanScreen: boolean;
}

/** Examine the page that is open. */
export async function examine(page: Page): Promise<Examination> {
  // Evaluated by the debugger, because the page's policy allows no script.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  return page.evaluate(EXAMINATION);
}

// Runs in the page.
const EXAMINATION = `(async () => {
  const shift = new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      // Moving something is the answer to a key or a click.
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 50);
  });
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return {
    barriers: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)),
    shift: await shift,
    isWiderThanScreen: document.documentElement.scrollWidth > innerWidth,
  };
})()`;
