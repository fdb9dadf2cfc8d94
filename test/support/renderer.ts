// A text renderer that runs in the calling thread, for tests of the rules about texts.

import { renderMarkdown } from '../../src/lib/markdown.ts';
import { openingOf } from '../../src/lib/opening.ts';
import type { TextRenderer } from '../../src/lib/text-renderer.ts';

/** Renders at once, however long it takes. */
export const plainRenderer: TextRenderer = {
  async render(markdown) {
    return { html: renderMarkdown(markdown), opening: openingOf(markdown) };
  },
  async close() {},
};
