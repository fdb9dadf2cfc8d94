// The access diary as pages: what was read on a day, by whom and from where. Its owner can download it, and switch it
// off.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { attempted, hourlyLimit } from '../../../lib/attempt.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { partOf } from '../../../lib/part.ts';
import { beginningOfDay, endOfDay } from '../../../lib/time-zone.ts';
import { keepOwnDiary } from '../../../oauth/access-diary.ts';
import type { DiaryLine } from '../../../oauth/access-diary-store.ts';
import { type DayCount, dayBars } from '../../pages/day-bars.ts';
import { selectField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { clockTimeOf, countOf, dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import { tooOftenPage } from '../../pages/too-often.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { diaryDays, requestsByDay } from './diary-days.ts';
import { type DiaryNames, diaryNames, fieldsIn } from './diary-names.ts';
import { type DiaryWords, diaryWords } from './diary-words.ts';
import { settingsPage, settingsTitle } from './page.ts';

const PATH = '/settings/diary';
const MOST_LINES = 100;
// Each is a security event.
const MOST_CHOICES_AN_HOUR = 20;

/** Show a day of the diary: the one that the address names, or the last one with an entry. */
export async function diaryPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const t = diaryWords[c.get('visitor').language];
  const title = settingsTitle(c, PATH);
  const clientId = c.req.query('application');
  const content = user.keepsDiary
    ? await kept(site, c, user, clientId)
    : html`<p class="notice">${t.isOff}</p>${switchForm(c, t, true)}`;
  return settingsPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      <p class="soft">${t.explanation}</p>
      ${notice(c.req.query('saved') === undefined ? undefined : t.saved)}
      ${content}`,
  );
}

/** Switch the diary on or off. */
export async function saveDiaryChoice(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const limit = hourlyLimit(site.clock(), MOST_CHOICES_AN_HOUR, 'diary_choice', user.id);
  const tooFast = await attempted(site.identity, limit);
  if (tooFast !== undefined) return tooOftenPage(c, tooFast, PATH);
  const by = byMember(user, site.clock, site.clientAddress(c));
  await keepOwnDiary(by, site.oauth, form.text('keep') === 'yes');
  return c.redirect(`${PATH}?saved`, 303);
}

async function kept(
  site: SiteParts,
  c: PageContext,
  user: User,
  clientId: string | undefined,
): Promise<Html> {
  const { language } = c.get('visitor');
  const t = diaryWords[language];
  const nameOf = await diaryNames(site, user.id);
  const last = diaryDays(site, c);
  const all = await site.oauth.reads.diarySums(user.id, last);
  const sums = clientId === undefined ? all : all.filter((sum) => sum.clientId === clientId);
  const days = requestsByDay(sums, last);
  const busy = days.filter(({ count }) => count > 0).map(({ day }) => day);
  const asked = c.req.query('day') ?? '';
  const day = days.find((each) => each.day === asked)?.day ?? busy.at(-1);
  const name = clientId && (await nameOf({ clientId, source: '' }));
  const only = clientId === '' ? t.onlyTokens : name && t.only(name);
  return html`
    ${user.diarySince !== undefined && sinceLine(c, user.diarySince)}
    ${only !== undefined && html`<p>${only} <a href="${PATH}">${t.showAll}</a></p>`}
    ${dayBars(days, language, day)}
    ${busy.length > 1 && dayForm(c, days, day, clientId)}
    ${day === undefined && html`<p class="empty">${t.nothing}</p>`}
    ${day !== undefined && (await dayCard(site, c, user, { day, clientId, busy, nameOf }))}
    ${downloadForm(c, t)}
    ${switchForm(c, t, false)}`;
}

function sinceLine(c: PageContext, since: Timestamp): Html {
  const visitor = c.get('visitor');
  const t = diaryWords[visitor.language];
  return html`<p>${t.since} ${dayElement(since, visitor)}, ${clockTimeOf(since, visitor)}. ${t.beforeSince}</p>`;
}

function dayForm(
  c: PageContext,
  days: readonly DayCount[],
  selected: string | undefined,
  clientId: string | undefined,
): Html {
  const t = diaryWords[c.get('visitor').language];
  const options = days
    .filter(({ count }) => count > 0)
    .toReversed()
    .map(({ day, count }) => ({ value: day, label: `${day} (${countOf(count)})` }));
  return html`
    <form method="get" action="${PATH}" class="find">
      ${clientId !== undefined && html`<input type="hidden" name="application" value="${clientId}">`}
      ${selectField({ name: 'day', label: t.day, value: selected ?? '', options })}
      <button>${t.show}</button>
    </form>`;
}

function pathOf(day: string, clientId: string | undefined): string {
  return `${PATH}?${new URLSearchParams(clientId === undefined ? { day } : { day, application: clientId })}`;
}

interface ChosenDay {
  day: string;
  clientId: string | undefined;
  /** The days with entries, oldest first. */
  busy: readonly string[];
  nameOf: DiaryNames;
}

async function dayCard(site: SiteParts, c: PageContext, user: User, chosen: ChosenDay): Promise<Html> {
  const { day, clientId, busy, nameOf } = chosen;
  const visitor = c.get('visitor');
  const t = diaryWords[visitor.language];
  const from = beginningOfDay(day, visitor.timeZone) ?? 0;
  const until = endOfDay(day, visitor.timeZone) ?? 0;
  const part = { userId: user.id, clientId, from, until, limit: MOST_LINES + 1 };
  const { items: lines, last } = partOf(await site.oauth.reads.diaryLines(part), MOST_LINES);
  const rows = await Promise.all(lines.map(async (line) => row(line, await nameOf(line), c)));
  const before = busy.findLast((other) => other < day);
  const after = busy.find((other) => other > day);
  return html`
    <section class="card">
      <h2>${dayElement(from, visitor)}</h2>
      ${rows.length === 0 ? html`<p class="empty">${t.nothing}</p>` : table([t.when, t.who, t.what, t.from], rows)}
      ${last !== undefined && html`<p class="soft">${t.more(countOf(MOST_LINES))}</p>`}
      ${neighbourLinks(visitor.language, {
        back: before === undefined ? undefined : { href: pathOf(before, clientId), text: t.before },
        next: after === undefined ? undefined : { href: pathOf(after, clientId), text: t.after },
      })}
    </section>`;
}

function row(line: DiaryLine, name: string, c: PageContext): Html {
  const visitor = c.get('visitor');
  const t = diaryWords[visitor.language];
  const [first, last] = [clockTimeOf(line.firstAt, visitor), clockTimeOf(line.lastAt, visitor)];
  const fields = fieldsIn(line);
  const who = line.clientId === '' ? t.token(name || t.goneToken) : name;
  return html`
    <tr>
      <td data-label="${t.when}">${first === last ? first : `${first} – ${last}`}</td>
      <td data-label="${t.who}">${who}</td>
      <td data-label="${t.what}">
        <div>
          ${t.readings[line.reading](countOf(line.posts))} ${outcomeOf(line, t)}
          <span class="soft small">${t.requests(countOf(line.requests), line.requests)}</span>
          ${fields.length > 0 && fieldList(fields, t)}
        </div>
      </td>
      <td data-label="${t.from}">
        <div>${line.program || t.unknown}<br><span class="soft small">${line.network}</span></div>
      </td>
    </tr>`;
}

function fieldList(fields: readonly string[], t: DiaryWords): Html {
  return html`<details><summary>${t.fields}</summary><code>${fields.join(', ')}</code></details>`;
}

function outcomeOf({ status }: DiaryLine, t: DiaryWords): Html | string {
  if (status === 200) return '';
  const text = t.outcomes[status as keyof DiaryWords['outcomes']] ?? t.outcomes[500];
  return html`<span class="badge">${text}</span>`;
}

function downloadForm(c: PageContext, t: DiaryWords): Html {
  return html`
    <form method="post" action="${PATH}/export">
      ${formTokenField(c)}
      <p class="soft small">${t.newest}</p>
      <div class="actions">
        <button name="format" value="csv">${t.csv}</button>
        <button name="format" value="json">${t.json}</button>
      </div>
    </form>`;
}

function switchForm(c: PageContext, t: DiaryWords, on: boolean): Html {
  return html`
    <form method="post" action="${PATH}">
      ${formTokenField(c)}
      <input type="hidden" name="keep" value="${on ? 'yes' : 'no'}">
      <p class="soft small">${on ? '' : t.offMeans}</p>
      <div class="actions"><button>${on ? t.switchOn : t.switchOff}</button></div>
    </form>`;
}
