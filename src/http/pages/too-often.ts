// The answer to someone who downloads a file, or changes the same thing, again and again.

import { html } from 'hono/html';
import type { TooFast } from '../../community/pace.ts';
import type { Hit } from '../../lib/counter.ts';
import { bilingual } from './language.ts';
import { page } from './page.ts';
import type { PageContext } from './visitor.ts';
import { retryAfter, waitText } from './waiting.ts';

/** Answer that somebody does this too often. `back` is the path to return to. */
export function tooOftenPage(c: PageContext, tooFast: TooFast | Hit, back: string): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const retryAfterSeconds = 'allowed' in tooFast ? tooFast.resetSeconds : tooFast.retryAfterSeconds;
  retryAfter(c, retryAfterSeconds);
  return page(
    c,
    { title: t.title, status: 429 },
    html`
      <h1>${t.title}</h1>
      <p>${t.wait(waitText(retryAfterSeconds, language))}</p>
      <p><a class="button" href="${back}">${t.back}</a></p>`,
  );
}

const words = bilingual(
  {
    title: 'That was too often',
    wait: (time: string) => `You can do this again in ${time}.`,
    back: 'Back',
  },
  {
    title: '操作过于频繁',
    wait: (time) => `${time}后可再次操作。`,
    back: '返回',
  },
);
