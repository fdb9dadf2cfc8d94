// The form for a member's links, on the page of the profile.

import { html } from 'hono/html';
import { MOST_LINKS } from '../../../identity/links.ts';
import { inputField } from '../../pages/fields.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';

export const LINKS_PATH = '/settings/profile/links';

/** The names of the fields. */
export const LINK_FIELDS = Array.from({ length: MOST_LINKS }, (_, n) => `link_${n + 1}`);

/** The problems of the fields with these numbers, by the fields' names. */
export function linkProblems(wrong: readonly number[], language: Language): Record<string, string> {
  const { notALink } = words[language];
  return Object.fromEntries(wrong.map((n) => [LINK_FIELDS[n] ?? '', notALink(n + 1)]));
}

/** Make the form. */
export function linksCard(
  c: PageContext,
  links: readonly string[],
  problems: Readonly<Record<string, string>>,
): Html {
  const t = words[c.get('visitor').language];
  const fields = LINK_FIELDS.map((name, n) =>
    inputField({
      name,
      label: t.link(n + 1),
      problem: problems[name],
      value: links[n] ?? '',
      attributes: html`inputmode="url" autocapitalize="none" spellcheck="false" maxlength="200"`,
    }),
  );
  return html`
    <section class="card">
      <h2>${t.links}</h2>
      <p class="soft">${t.hint}</p>
      <form method="post" action="${LINKS_PATH}">
        ${formTokenField(c)}
        ${fields}
        <div class="actions">
          <button class="primary">${t.save}</button>
        </div>
      </form>
    </section>`;
}

const words = bilingual(
  {
    links: 'Links',
    hint: 'Your pages elsewhere. Everyone can see them on your page. Sites such as Mastodon can check that both pages are yours.',
    link: (n: number) => `Link ${n}`,
    notALink: (n: number) => `Link ${n}: enter an address such as https://alice.example/`,
    save: 'Save links',
  },
  {
    links: '链接',
    hint: '您在其他网站的主页，显示在您的个人主页上，所有人可见。Mastodon 等网站可据此验证两个主页都属于您。',
    link: (n: number) => `链接 ${n}`,
    notALink: (n: number) => `链接 ${n}：请填写网址，例如 https://alice.example/`,
    save: '保存链接',
  },
);
