// The form for writing and editing a post.

import { html } from 'hono/html';
import type { Post, PostProblems, PostText } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { inputField, problemSummary, selectField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { markdownField } from '../../pages/markdown-field.ts';
import { clockTimeOf } from '../../pages/moments.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import { prose } from '../../pages/prose.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { EDITOR_SCRIPT, MARKDOWN_SCRIPTS, PICTURES_SCRIPT } from '../../static-files.ts';
import {
  descriptionReminder,
  type PictureOutcome,
  pictureBox,
  pictureStatus,
  REMINDED_FIELD,
} from '../picture-box.ts';

/** The contents of the form. */
export interface PostForm {
  /** The post that the form edits. Undefined for a new one. */
  post: Pick<Post, 'id' | 'status'> | undefined;
  text: PostText;
  problems: PostProblems;
  /** When the version that the author saw was saved. A later version is not overwritten without asking. */
  version: Timestamp | undefined;
  /** The HTML of the text, if the page shows how it will look. */
  preview?: string;
  /** What became of the picture that was just sent. */
  picture?: PictureOutcome | undefined;
  /** Whether the author is reminded of pictures without a description. */
  isReminder?: boolean;
  /** Why nothing was saved although the text has no problem. */
  obstacle?: { status: 409 | 429; text: Html };
}

/** Read the text of a post from the form. */
export function readPostText(form: PostedForm): PostText {
  return {
    title: form.text('title'),
    // Browsers send line breaks as CR LF, but posts are stored with LF.
    body: form.text('body').replaceAll('\r\n', '\n'),
    categoryId: Number(form.text('category')),
    tags: form.has('tags') ? form.text('tags') : undefined,
  };
}

/** Read when the version that the author saw was saved. */
export function readVersion(form: PostedForm): Timestamp | undefined {
  const text = form.text('version');
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** What the author can choose from. */
export interface Choices {
  categories: readonly Category[];
  /** The names of tags that posts have, the most used first. */
  usedTags: readonly string[];
}

/** Show the form, with the reason why the text was not saved. */
export function postFormPage(
  c: PageContext,
  form: PostForm,
  { categories, usedTags }: Choices,
): Promise<Response> {
  const { language } = c.get('visitor');
  const { post, obstacle, text } = form;
  const heading = words[language].headings[post?.status === 'removed' ? 'draft' : (post?.status ?? 'new')];
  const hasProblem = Object.keys(form.problems).length > 0;
  return page(
    c,
    {
      title: heading,
      status: form.picture ? pictureStatus(c, form.picture) : (obstacle?.status ?? (hasProblem ? 400 : 200)),
      script: [PICTURES_SCRIPT, EDITOR_SCRIPT, ...MARKDOWN_SCRIPTS],
      isWriting: true,
    },
    html`
      <div class="row spread">
        <h1>${heading}</h1>
        <a href="/drafts">${words[language].drafts}</a>
      </div>
      ${obstacle === undefined ? '' : html`<div class="notice wrong" role="alert">${obstacle.text}</div>`}
      ${form.isReminder && descriptionReminder(c, words[language][post?.status === 'published' ? 'save' : 'publish'])}
      <div class="desk">
        ${editor(c, form, { categories, usedTags })}
        ${preview(text, form.preview, language)}
      </div>`,
  );
}

/** Answer with the preview alone, which the script puts into the page. */
export function previewPart(c: PageContext, text: PostText, rendered: string): Response | Promise<Response> {
  c.header('Cache-Control', 'no-store');
  return c.html(preview(text, rendered, c.get('visitor').language));
}

/** Say when a text was saved, in the site's time zone: "Saved at 11:14". */
export function savedText(at: Timestamp, locale: Locale): string {
  return words[locale.language].saved(clockTimeOf(at, locale).slice(0, 5));
}

function editor(c: PageContext, form: PostForm, choices: Choices): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const { post, version } = form;
  const isPublished = post?.status === 'published';
  const path = post === undefined ? '/write' : `/posts/${post.id}`;
  const action = post === undefined ? path : `${path}/edit`;
  return html`
    <form id="editor" method="post" action="${action}"
      ${isPublished ? '' : html`data-autosave="${path}/autosave"`}
      data-saving="${t.saving}" data-failed="${t.failed}">
      ${formTokenField(c)}
      <input type="hidden" name="version" value="${version ?? ''}">
      ${form.isReminder && REMINDED_FIELD}
      ${fields(form, choices, language)}
      <div class="bar">
        <p id="saving" class="small soft" role="status"></p>
        <div class="actions">
          <button name="action" value="preview" class="to-preview" formnovalidate
            formaction="${action}#preview">${t.preview}</button>
          ${isPublished ? html`<button class="primary">${t.save}</button>` : draftButtons(language)}
        </div>
      </div>
      ${pictureBox(c, `${action}/picture`, form.picture)}
    </form>`;
}

function fields(form: PostForm, { categories, usedTags }: Choices, language: Language): Html {
  const t = words[language];
  const { problems, text } = form;
  const title = problems.title && t.titleProblems[problems.title];
  const body = problems.body && t.bodyProblems[problems.body];
  const category = problems.category && t.categoryProblem;
  const tags = problems.tags && t.tagProblems[problems.tags];
  const options = categories.map(({ id, name }) => ({ value: String(id), label: name }));
  // A draft may lack its title or its text.
  const required = form.post?.status === 'published';
  return html`
    ${problemSummary({ title, body, category, tags }, language)}
    ${inputField({ name: 'title', label: t.title, problem: title, value: text.title, required })}
    ${selectField({
      name: 'category',
      label: t.category,
      problem: category,
      value: String(text.categoryId),
      options,
    })}
    ${markdownField(
      { name: 'body', label: t.body, hint: t.bodyHint, problem: body, value: text.body, required },
      language,
      'post',
    )}
    ${inputField({
      name: 'tags',
      label: t.tags,
      hint: usedTags.length === 0 ? t.tagsHint : `${t.tagsHint} ${t.usedTags(usedTags.slice(0, MOST_NAMED))}`,
      problem: tags,
      value: text.tags ?? '',
      attributes: html`list="used-tags"`,
    })}
    <datalist id="used-tags">${usedTags.map((name) => html`<option value="${name}"></option>`)}</datalist>`;
}

// The hint names so many tags. The browser suggests all.
const MOST_NAMED = 6;

function draftButtons(language: Language): Html {
  const t = words[language];
  return html`
    <button name="action" value="draft">${t.saveDraft}</button>
    <button class="primary" name="action" value="publish">${t.publish}</button>`;
}

// Before anything was rendered it is only shown beside the text, where the script fills it.
function preview({ title, body }: PostText, rendered: string | undefined, language: Language): Html {
  const t = words[language];
  const isEmpty = rendered === undefined || (title.trim() === '' && body.trim() === '');
  return html`
    <section id="preview" class="card preview${rendered === undefined && ' unasked'}" tabindex="0"
      aria-label="${t.preview}">
      <p class="eyebrow">${t.previewOnly}</p>
      ${isEmpty ? html`<p class="soft">${t.nothingYet}</p>` : previewed(title, rendered, language)}
    </section>`;
}

function previewed(title: string, rendered: string, language: Language): Html {
  const t = words[language];
  return html`
    <article class="reading">
      <h2>${title.trim() === '' ? t.untitled : title}</h2>
      ${rendered === '' ? html`<p class="soft">${t.noText}</p>` : prose(rendered)}
    </article>`;
}

const words = bilingual(
  {
    headings: { new: 'Write a post', draft: 'Edit your draft', published: 'Edit your post' },
    title: 'Title',
    category: 'Category',
    body: 'Text',
    bodyHint: 'Markdown: **bold**, _italic_, [link](https://example.org), # heading, - list, > quote.',
    preview: 'Preview',
    previewOnly: 'How your post will look',
    drafts: 'Your drafts',
    nothingYet: 'Your post appears here while you write.',
    untitled: 'No title yet',
    noText: 'No text yet.',
    saving: 'Saving…',
    saved: (time: string) => `Saved at ${time}`,
    failed: 'Not saved. Try again, or sign in again in another tab. Your text is still here.',
    save: 'Save changes',
    saveDraft: 'Save draft',
    publish: 'Publish',
    titleProblems: {
      missing: 'Enter a title.',
      too_long: 'The title can have at most 120 characters.',
      hidden_characters: 'The title contains a hidden character.',
    },
    bodyProblems: {
      missing: 'Write some text.',
      too_long: 'The text can have at most 100,000 characters.',
      too_complex:
        'This text can’t be displayed, because its formatting is too complex. Shorten it, or use less Markdown.',
      too_many_drafts:
        'Not saved: you can have 200 drafts, and 200 removed ones. Publish or remove a draft first. Removed ones are deleted after 30 days.',
      too_many_waiting:
        'Not published: 20 of your posts wait for approval. You can send more when a moderator has looked at them.',
      busy: 'The server is busy. Nothing was saved. Try again in a moment.',
    },
    categoryProblem: 'Choose a category.',
    tags: 'Tags, separated by commas (optional)',
    tagsHint: 'Up to 5.',
    usedTags: (names: readonly string[]) => `Often used: ${names.join(', ')}.`,
    tagProblems: {
      too_many: 'A post can have at most 5 tags.',
      too_long: 'A tag can have at most 30 characters. Separate tags with commas.',
      invalid: 'A tag can have letters, digits and hyphens.',
    },
  },
  {
    headings: { new: '写文章', draft: '编辑草稿', published: '编辑文章' },
    title: '标题',
    category: '分类',
    body: '正文',
    bodyHint: 'Markdown：**粗体**、_斜体_、[链接](https://example.org)、# 标题、- 列表、> 引用。',
    preview: '预览',
    previewOnly: '发布后的效果',
    drafts: '我的草稿',
    nothingYet: '您写的文章会显示在这里。',
    untitled: '还没有标题',
    noText: '还没有正文。',
    saving: '正在保存…',
    saved: (time) => `已于 ${time} 保存`,
    failed: '保存失败：请重试，或在另一个标签页中重新登录。您写的内容仍在此页。',
    save: '保存修改',
    saveDraft: '保存草稿',
    publish: '发布',
    titleProblems: {
      missing: '请输入标题。',
      too_long: '标题最多 120 个字符。',
      hidden_characters: '标题中含有不可见字符。',
    },
    bodyProblems: {
      missing: '请输入正文。',
      too_long: '正文最多 100,000 个字符。',
      too_complex: '正文的格式过于复杂，无法显示。请缩短正文，或减少 Markdown 标记。',
      too_many_drafts:
        '未保存：最多可以有 200 篇草稿和 200 篇已移除的草稿。请先发布或移除一篇草稿；已移除的草稿会在 30 天后删除。',
      too_many_waiting: '未发布：您已有 20 篇文章正在等待审核。版主处理之后，您就可以继续提交。',
      busy: '服务器正忙，内容尚未保存。请稍后再试。',
    },
    categoryProblem: '请选择一个分类。',
    tags: '标签，用逗号分隔（可选）',
    tagsHint: '最多 5 个。',
    usedTags: (names) => `常用标签：${names.join('、')}。`,
    tagProblems: {
      too_many: '每篇文章最多 5 个标签。',
      too_long: '每个标签最多 30 个字符，标签之间用逗号分隔。',
      invalid: '标签只能包含文字、数字和连字符。',
    },
  },
);
