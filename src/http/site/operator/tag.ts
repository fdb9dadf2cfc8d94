// One tag, for operators and moderators: renaming it, merging it into another one, and hiding it.

import { html } from 'hono/html';
import { byModerating } from '../../../audit/doer.ts';
import type { Tag } from '../../../community/tag.ts';
import {
  hideTag,
  MOST_CHANGED_TAGS,
  mergeTag,
  renameTag,
  showTag,
  type TagChangeProblem,
} from '../../../community/tag-change.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { countOf } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { tagPath } from '../../pages/post-path.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { forgetShownNames } from '../lists/shown-tags.ts';
import { namedTag, tagInPath } from '../lists/tag-in-path.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { operatorMenu, operatorPage } from './page.ts';
import { manageTagPath, TAGS_PATH } from './tags.ts';

/** Show the tag in the path with its forms. */
export async function manageTagPage(site: SiteParts, c: PageContext): Promise<Response> {
  const tag = await tagInPath(site, c, { isUnused: true });
  return tag === undefined ? notFoundPage(c) : pageOfTag(site, c, tag);
}

/** Rename, merge, hide or show the tag in the path, whichever button was pressed. */
export async function changeTag(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const tag = await tagInPath(site, c, { isUnused: true });
  if (tag === undefined) return notFoundPage(c);
  const refuse = (problem: Refusal['problem']) =>
    pageOfTag(site, c, tag, { problem, field: 'name', typed: tag.name });
  // Tags may have been merged since the form was shown, and then the same name leads to another one.
  if (form.text('id') !== String(tag.id)) return refuse('other');
  const by = byModerating(user, site.clock);
  const { community } = site;
  switch (form.text('change')) {
    case 'rename': {
      const typed = form.text('name');
      const problem = await renameTag(by, community, tag, typed);
      if (problem !== undefined) return pageOfTag(site, c, tag, { problem, field: 'name', typed });
      return changed(site, c, (await namedTag(community, typed)) ?? tag, 'renamed');
    }
    case 'merge':
      return mergeOrAsk(site, c, user, { tag, form });
    case 'hide':
    case 'show': {
      const isHidden = form.text('change') === 'hide';
      const problem = await (isHidden ? hideTag : showTag)(by, community, tag);
      if (problem !== undefined) return refuse(problem);
      return changed(site, c, tag, isHidden ? 'hidden' : 'shown');
    }
    default:
      return notFoundPage(c);
  }
}

const STATUS_OF: Partial<Record<Refusal['problem'], 409 | 429>> = { other: 409, too_fast: 429 };

interface Refusal {
  problem: TagChangeProblem | 'other';
  field: 'name' | 'into';
  typed: string;
}

/** Go to the page of a tag after a change. */
function changed(
  site: SiteParts,
  c: PageContext,
  { name }: Tag,
  done: 'renamed' | 'merged' | 'hidden' | 'shown',
): Response {
  forgetShownNames(site);
  return c.redirect(`${manageTagPath(name)}?done=${done}`, 303);
}

async function mergeOrAsk(
  site: SiteParts,
  c: PageContext,
  user: User,
  { tag, form }: { tag: Tag; form: PostedForm },
): Promise<Response> {
  const typed = form.text('into');
  const refuse = (problem: Refusal['problem']) => pageOfTag(site, c, tag, { problem, field: 'into', typed });
  const into = await namedTag(site.community, typed);
  if (into === undefined) return refuse('unknown');
  if (into.id === tag.id) return refuse('same');
  // The question's form names the tag that was asked about.
  if (!form.has('into_id')) return questionOfMerge(c, tag, into);
  if (form.text('into_id') !== String(into.id)) return refuse('other');
  const problem = await mergeTag(byModerating(user, site.clock), site.community, tag, into);
  if (problem !== undefined) return refuse(problem);
  return changed(site, c, into, 'merged');
}

function questionOfMerge(c: PageContext, tag: Tag, into: Tag): Promise<Response> {
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.mergeQuestion(tag.name, into.name),
    menu: operatorMenu(c, TAGS_PATH),
    consequences: t.mergeConsequences(tag.name, into.name),
    fields: html`
      <input type="hidden" name="id" value="${tag.id}">
      <input type="hidden" name="into" value="${into.name}">
      <input type="hidden" name="into_id" value="${into.id}">
      <input type="hidden" name="change" value="merge">`,
    action: manageTagPath(tag.name),
    button: t.merge,
    back: { path: manageTagPath(tag.name), text: t.cancel },
  });
}

async function pageOfTag(
  { community: { reads } }: SiteParts,
  c: PageContext,
  tag: Tag,
  refusal?: Refusal,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const { name, postCount, hiddenAt } = tag;
  const names = await reads.changedTags(MOST_CHANGED_TAGS);
  const earlier = names.filter(({ shownAs }) => shownAs === name).map((each) => `#${each.name}`);
  const problem = refusal && t.problems[refusal.problem];
  const problemOf = (field: Refusal['field']) => (refusal?.field === field ? problem : undefined);
  const done = c.req.query('done') ?? '';
  const isDone = refusal === undefined && Object.hasOwn(t.done, done);
  const isListed = hiddenAt === undefined && postCount > 0;
  return operatorPage(
    c,
    TAGS_PATH,
    { title: `#${name}`, status: refusal === undefined ? 200 : (STATUS_OF[refusal.problem] ?? 400) },
    html`
      <p class="eyebrow"><a href="${TAGS_PATH}">${t.tags}</a></p>
      <h1>#${name}</h1>
      ${notice(isDone ? t.done[done as keyof typeof t.done] : undefined)}
      ${problemSummary({ name: problemOf('name'), into: problemOf('into') }, language)}
      <p class="meta">
        <span>${t.posts(postCount, countOf(postCount))}</span>
        ${isListed && html`<a href="${tagPath(name)}">${t.see}</a>`}
        ${hiddenAt !== undefined && html`<span class="badge">${t.hidden}</span>`}
      </p>
      ${earlier.length > 0 && html`<p class="soft">${t.earlier} ${earlier.join(' ')}</p>`}
      ${formCard(
        c,
        tag,
        'rename',
        html`
        <h2>${t.rename}</h2>
        ${inputField({
          name: 'name',
          label: t.newName,
          hint: t.renameHint,
          problem: problemOf('name'),
          value: refusal?.field === 'name' ? refusal.typed : name,
          required: true,
        })}`,
      )}
      ${formCard(
        c,
        tag,
        'merge',
        html`
        <h2>${t.merge}</h2>
        ${inputField({
          name: 'into',
          label: t.into,
          hint: t.mergeHint,
          problem: problemOf('into'),
          value: refusal?.field === 'into' ? refusal.typed : '',
          required: true,
        })}`,
      )}
      ${formCard(
        c,
        tag,
        hiddenAt === undefined ? 'hide' : 'show',
        html`
        <h2>${hiddenAt === undefined ? t.hide : t.show}</h2>
        <p>${hiddenAt === undefined ? t.hideHint : t.showHint}</p>`,
      )}`,
  );
}

function formCard(
  c: PageContext,
  { id, name }: Tag,
  change: 'rename' | 'merge' | 'hide' | 'show',
  content: Html,
): Html {
  return html`
    <form class="card" method="post" action="${manageTagPath(name)}">
      ${formTokenField(c)}
      <input type="hidden" name="id" value="${id}">
      ${content}
      <button name="change" value="${change}">${words[c.get('visitor').language].buttons[change]}</button>
    </form>`;
}

const words = bilingual(
  {
    tags: 'Tags',
    posts: (n: number, text: string) => (n === 1 ? '1 post' : `${text} posts`),
    see: 'See its page',
    hidden: 'hidden',
    earlier: 'Earlier names, which lead here:',
    done: {
      renamed: 'Tag renamed. Its earlier address leads to the new one.',
      merged: 'Tags merged. Many posts take some minutes to move.',
      hidden: 'Tag hidden. Its posts stay.',
      shown: 'The tag is shown again.',
    },
    rename: 'Rename',
    newName: 'New name',
    renameHint: 'The address with the earlier name leads to the new one.',
    merge: 'Merge tags',
    into: 'Into the tag',
    mergeHint: 'All posts and followers move to the other tag, and the address of this one leads to it.',
    hide: 'Hide',
    hideHint: 'A hidden tag has no page, and no list, post or suggestion shows it. Its posts stay.',
    show: 'Show again',
    showHint: 'The tag gets its page back, and its posts show it again.',
    buttons: { rename: 'Rename tag', merge: 'Merge tags', hide: 'Hide tag', show: 'Show tag again' },
    mergeQuestion: (from: string, to: string) => `Merge #${from} into #${to}?`,
    mergeConsequences: (from: string, to: string) => [
      `All posts with #${from} get #${to} instead. Many posts take some minutes.`,
      `Members who follow #${from} follow #${to}.`,
      `The address of #${from} leads to #${to}.`,
      'This can’t be undone.',
    ],
    cancel: 'Cancel',
    problems: {
      invalid: 'Enter one tag of at most 30 letters, digits and hyphens.',
      taken: 'Another tag has this name. Merge the tags instead.',
      same: 'Enter another tag.',
      unknown: 'There is no such tag.',
      too_many: 'Not changed: too many tags are hidden or have earlier names.',
      other: 'Not changed: the name belongs to another tag now. Check it, and try again.',
      too_fast: 'Not changed: you’ve changed very many tags this hour. Try again later, or ask an operator.',
    },
  },
  {
    tags: '标签',
    posts: (_, text) => `${text} 篇文章`,
    see: '查看标签页面',
    hidden: '已隐藏',
    earlier: '曾用名（会转到此标签）：',
    done: {
      renamed: '标签已更名，原地址会转到新地址。',
      merged: '标签已合并。文章较多时，需要几分钟才能全部移完。',
      hidden: '标签已隐藏，文章仍然保留。',
      shown: '标签已恢复显示。',
    },
    rename: '更名',
    newName: '新名称',
    renameHint: '使用原名称的地址会转到新地址。',
    merge: '合并标签',
    into: '并入标签',
    mergeHint: '所有文章和关注者都会移到另一个标签，此标签的地址也会转到那里。',
    hide: '隐藏',
    hideHint: '隐藏的标签没有页面，也不会出现在列表、文章和输入建议中。文章仍然保留。',
    show: '恢复显示',
    showHint: '标签的页面会恢复，文章也会重新显示此标签。',
    buttons: { rename: '更改名称', merge: '合并标签', hide: '隐藏标签', show: '恢复显示' },
    mergeQuestion: (from, to) => `将 #${from} 并入 #${to}？`,
    mergeConsequences: (from, to) => [
      `所有带 #${from} 的文章都会改为 #${to}。文章较多时需要几分钟。`,
      `关注 #${from} 的成员将改为关注 #${to}。`,
      `#${from} 的地址会转到 #${to}。`,
      '此操作无法撤销。',
    ],
    cancel: '取消',
    problems: {
      invalid: '请填写一个标签，最多 30 个字母、数字或连字符。',
      taken: '已有同名的标签，可以改为合并。',
      same: '请填写另一个标签。',
      unknown: '没有这个标签。',
      too_many: '未更改：隐藏的标签和曾用名太多了。',
      other: '未更改：这个名称现在属于另一个标签，请核对后再试。',
      too_fast: '未更改：您这一小时更改标签的次数过多。请稍后再试，或联系管理员。',
    },
  },
);
