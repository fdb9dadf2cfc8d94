// How a post will look. Nothing is stored.

import type { MemberDoer } from '../audit/doer.ts';
import type { Community } from './community.ts';
import { paced, type TooFast } from './pace.ts';
import { type PostProblems, type PostText, problemsWith } from './post-text.ts';
import { render } from './rendering.ts';

/** Render a text that may still lack its title. The length is judged first, and a refused text doesn't count. */
export async function preview(
  by: MemberDoer,
  community: Community,
  text: PostText,
): Promise<{ html: string } | { problems: PostProblems } | TooFast> {
  const problems = problemsWith(text, 'draft', await community.reads.categories());
  if (problems?.title === 'too_long' || problems?.body === 'too_long') return { problems };
  const tooFast = await paced(by, community, 'preview');
  if (tooFast !== undefined) return tooFast;
  const rendered = await render(by, community, text.body);
  return 'problem' in rendered ? { problems: { body: rendered.problem } } : { html: rendered.html };
}
