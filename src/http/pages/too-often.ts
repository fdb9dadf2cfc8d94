// The answer to someone who downloads a file again and again.

import { html } from 'hono/html';
import type { TooFast } from '../../community/pace.ts';
import { bilingual } from './language.ts';
import { page } from './page.ts';
import type { PageContext } from './visitor.ts';
import { retryAfter, waitText } from './waiting.ts';

/** Answer that a file was downloaded too often. `back` is the path to return to. */
export function tooOftenPage(
  c: PageContext,
  { retryAfterSeconds }: TooFast,
  back: string,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
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
    title: 'You have downloaded this too often',
    wait: (time: string) => `You can download it again in ${time}.`,
    back: 'Back',
  },
  {
    title: '下载次数过多',
    wait: (time) => `${time}后可再次下载。`,
    back: '返回',
  },
);
