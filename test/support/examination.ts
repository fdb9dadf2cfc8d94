// What is wrong with a page in Chromium: barriers that axe-core finds, layout shifts, and a page wider than its screen.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A heading that gets its font while the page loads shifts less than this; a picture without a size, far more. */
export const MOST_SHIFT = 0.02;

export interface Examination {
  /** The violations that axe-core finds, with rule and place. */
  barriers: string[];
  /** The sum of all layout shifts since the page was opened. */
  shift: number;
  isWiderThanScreen: boolean;
}

/** The rules whose outcome a small screen, dark colours or another language can change. */
export const RULES_OF_LOOKS: readonly string[] = (
  'color-contrast link-in-text-block scrollable-region-focusable aria-hidden-focus link-name button-name label ' +
  'select-name image-alt empty-heading heading-order document-title html-has-lang html-lang-valid valid-lang ' +
  'page-has-heading-one'
).split(' ');

/** Examine the page that is open, with all rules or only with these. */
export async function examine(page: Page, rules?: readonly string[]): Promise<Examination> {
  // Evaluated by the debugger, because the page's policy allows no script.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  return page.evaluate(EXAMINATION.replace('OPTIONS', JSON.stringify(options)));
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
  const { violations } = await axe.run(document, OPTIONS);
  return {
    barriers: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)),
    shift: await shift,
    isWiderThanScreen: document.documentElement.scrollWidth > innerWidth,
  };
})()`;
