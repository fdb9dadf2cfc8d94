// A text renderer that runs in the calling thread, for tests of the rules about texts.

import { renderWithMentions } from '../../src/lib/markdown.ts';
import { openingOf } from '../../src/lib/opening.ts';
import type { TextRenderer } from '../../src/lib/text-renderer.ts';

/** Renders at once, however long it takes. */
export const plainRenderer: TextRenderer = {
  async render(markdown) {
    return { ...renderWithMentions(markdown), opening: openingOf(markdown) };
  },
  async close() {},
};
