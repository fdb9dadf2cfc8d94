// The HTML of posts and comments: rendered when they are written, and stored with them. What lists tell about a post is
// stored with it. Texts without HTML, or with HTML of an older renderer, are rendered in the background, or before that
// when someone reads them.

import type { Doer, MemberDoer } from '../audit/doer.ts';
import { firstPicturePath, MARKDOWN_VERSION, unformatted } from '../lib/markdown.ts';
import type { RenderedText, RenderingProblem } from '../lib/text-renderer.ts';
import type { Community } from './community.ts';
import { withMentions } from './mention.ts';
import { paced } from './pace.ts';
import { factsOf } from './text-facts.ts';
import type { Rendering, StoredRendering, TextToRender } from './text-store.ts';

/** A rendering of a new text, with the words at its beginning, and the members whom it mentions. */
export type NewlyRendered = Rendering & Pick<RenderedText, 'opening'> & { mentioned: readonly number[] };

/** Render a new text, or tell why it can't be shown. Members take turns. */
export async function render(
  by: Doer,
  community: Community,
  body: string,
): Promise<NewlyRendered | { problem: RenderingProblem }> {
  const result = await community.renderer.render(body, by.kind === 'member' ? by.userId : undefined);
  if ('problem' in result) return result;
  const { opening } = result;
  return { opening, ...(await withMentions(community, result)), htmlVersion: MARKDOWN_VERSION };
}

/** List the members whom a stored text mentions, by their ids. Undefined if the doer's texts are waiting already. */
export async function mentionedIn(
  by: Doer,
  community: Community,
  body: string,
): Promise<readonly number[] | undefined> {
  if (!body.includes('@')) return [];
  const rendered = await render(by, community, body);
  if (!('problem' in rendered)) return rendered.mentioned;
  return rendered.problem === 'busy' ? undefined : [];
}

/**
 * Return the HTML of a stored text. Renders it first if necessary, and stores it if the text is published. `reader` is
 * the member for whom any other post is rendered each time, as often as they can have previews. Then it is shown as it
 * was written.
 */
export async function htmlOf(
  community: Community,
  kind: TextToRender['kind'],
  text: StoredRendering & { id: number; body: string },
  reader?: MemberDoer,
): Promise<string> {
  if (text.html !== undefined && text.htmlVersion >= MARKDOWN_VERSION) return text.html;
  const { id, body } = text;
  if (reader !== undefined && (await paced(reader, community, 'preview'))) return unformatted(body);
  const html = await renewHtml(community, { kind, id, body }, reader?.userId);
  return html ?? text.html ?? unformatted(body);
}

// So many of each kind: a step takes a fraction of a second.
const STEP = 20;

/**
 * Render some of the stored texts that have no HTML of this version. Returns how many, 0 if none are left.
 */
export async function renewRenderings(community: Community): Promise<number> {
  const texts = await community.reads.textsToRender(MARKDOWN_VERSION, STEP);
  for (const text of texts) await renewHtml(community, text);
  return texts.length;
}

// A text that can't be rendered is shown as it was written. This is stored too, so that it isn't tried again.
async function renewHtml(
  community: Community,
  text: TextToRender,
  readerId?: number,
): Promise<string | undefined> {
  const { renderer, writes } = community;
  const result = await renderer.render(text.body, readerId);
  if ('problem' in result && result.problem === 'busy') return undefined;
  const html = 'problem' in result ? unformatted(text.body) : (await withMentions(community, result)).html;
  const facts = 'problem' in result || text.kind === 'comment' ? {} : factsOf(text.body, result.opening);
  const picture = firstPicturePath(html);
  await writes.storeHtml(text, { ...facts, html, htmlVersion: MARKDOWN_VERSION, picture });
  return html;
}
