// A text renderer that runs in the calling thread, for tests of the rules about texts.

import { plainTextOf, renderMarkdown } from '../../src/lib/markdown.ts';
import type { TextRenderer } from '../../src/lib/text-renderer.ts';

/** Renders at once, however long it takes. */
export const plainRenderer: TextRenderer = {
  async render(markdown) {
    return { html: renderMarkdown(markdown), opening: plainTextOf(markdown.slice(0, 5_000)) };
  },
  async close() {},
};
