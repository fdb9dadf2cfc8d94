// The faults as cards, each with its button.

import { html } from 'hono/html';
import type { User } from '../../identity/user.ts';
import type { SandboxSet } from '../../sandbox/sets.ts';
import { bilingual } from '../pages/language.ts';
import { type Html, visitorFormTokenField } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import { type FaultName, WAITING_FAULTS } from './fault-acts.ts';
import { faultWords } from './fault-words.ts';

type WaitingName = keyof typeof WAITING_FAULTS;

/** Show all faults. Some concern one of the members. */
export function faultCards(c: PageContext, set: SandboxSet, members: readonly User[]): Html[] {
  return [
    faultCard(c, set.hasShortTokens ? 'long_tokens' : 'short_tokens'),
    ...(Object.keys(WAITING_FAULTS) as WaitingName[]).map((name) => faultCard(c, name, isWaiting(set, name))),
    faultCard(c, 'key'),
    faultCard(c, 'withdrawn', false, members),
    faultCard(
      c,
      'suspended',
      false,
      members.filter(({ status }) => status === 'active'),
    ),
  ];
}

function isWaiting({ faults }: SandboxSet, name: WaitingName): boolean {
  const [place, fault] = WAITING_FAULTS[name];
  return faults.first(place) === fault;
}

function faultCard(c: PageContext, name: FaultName, waits = false, members: readonly User[] = []): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const { title, effect, advice, button } = faultWords[language][name];
  return html`
    <section class="card">
      <div class="row spread">
        <h3>${title}</h3>
        ${waits && html`<span class="badge warning">${t.waiting}</span>`}
      </div>
      <p>${effect}</p>
      <p class="soft"><strong>${t.good}</strong> ${advice}</p>
      <form method="post" action="/sandbox/faults">
        ${visitorFormTokenField(c)}
        ${members.length > 0 && memberField(c, name, members)}
        <div class="actions">
          <button name="fault" value="${name}">${button}</button>
          ${waits && html`<button name="fault" value="cancel">${t.cancel}</button>`}
        </div>
      </form>
    </section>`;
}

function memberField(c: PageContext, name: FaultName, members: readonly User[]): Html {
  const { language, visit } = c.get('visitor');
  const options = members.map(({ id, username }) => {
    const selected = id === visit?.user.id && html` selected`;
    return html`<option value="${id}"${selected}>${username}</option>`;
  });
  return html`
    <div class="field">
      <label for="member-${name}">${words[language].member}</label>
      <select id="member-${name}" name="member">${options}</select>
    </div>`;
}

const words = bilingual(
  {
    waiting: 'Waiting',
    cancel: 'Cancel',
    good: 'A good application:',
    member: 'Member',
  },
  {
    waiting: '等待中',
    cancel: '取消',
    good: '好的应用：',
    member: '成员',
  },
);
