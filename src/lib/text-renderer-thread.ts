// The thread of `text-renderer.ts`: receives Markdown, and answers each text in turn.

import { parentPort } from 'node:worker_threads';
import { renderWithMentions } from './markdown.ts';
import { openingOf } from './opening.ts';
import type { RenderedText } from './text-renderer.ts';

// The HTML of many tiny links or cells is eight times as long as the text. Only a text that repeats long
// references becomes longer.
const MOST_TIMES_LONGER = 10;
const SMALL = 20_000;

function rendered(markdown: string): RenderedText | { problem: 'too_complex' } {
  try {
    const { html, mentions } = renderWithMentions(markdown);
    if (html.length > MOST_TIMES_LONGER * markdown.length + SMALL) return { problem: 'too_complex' };
    return { html, mentions, opening: openingOf(markdown) };
  } catch {
    // The parser's own stack is too small for the text.
    return { problem: 'too_complex' };
  }
}

renderWithMentions('');
parentPort?.on('message', (markdown: string) => parentPort?.postMessage(rendered(markdown)));
parentPort?.postMessage('ready');
