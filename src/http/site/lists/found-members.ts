// The members whose names begin with what someone searches for.

import { html } from 'hono/html';
import { usernameKey } from '../../../identity/username.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { bilingual } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { memberPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { type Choices, isFiltered } from './search-form.ts';

const MOST_SHOWN = 6;
// Some of them are suspended or closed, and are left out.
const MOST_READ = 30;
const SHORTEST = 2;

/** List them, on the first page of the results. Empty if there are none. */
export async function membersBeginningWith(
  { identity }: SiteParts,
  c: PageContext,
  choices: Choices,
): Promise<Html | ''> {
  const name = choices.query.replace(/^@/, '');
  const isLater = choices.below !== undefined || choices.page > 0;
  if (isLater || isFiltered(choices) || /\s/.test(name) || [...name].length < SHORTEST) return '';
  const members = await identity.reads.membersNamed(usernameKey(name), undefined, MOST_READ);
  const items = members
    .filter(({ status }) => status === 'active')
    .slice(0, MOST_SHOWN)
    .map(
      ({ id, username, avatar }) => html`
        <li>
          <a class="author" href="${memberPath(username)}"><img class="avatar" width="28" height="28" alt=""
            src="${avatarPath(id, avatar)}">${username}</a>
        </li>`,
    );
  if (items.length === 0) return '';
  const { title } = words[c.get('visitor').language];
  return html`
    <section class="found-members" aria-label="${title}">
      <h2>${title}</h2>
      <ul class="links">${items}</ul>
    </section>`;
}

const words = bilingual({ title: 'Members' }, { title: '成员' });
