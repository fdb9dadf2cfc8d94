// The form in which a post is written and changed.

import { html } from 'hono/html';
import type { Post, PostProblems, PostText } from '../../../community/post.ts';
import type { Category } from '../../../community/store.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { inputField, problemSummary, selectField, textField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import { prose } from '../../pages/prose.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { EDITOR_SCRIPT } from '../../static-files.ts';

export interface PostForm {
  /** The post that is changed; undefined for one that is new. */
  post: Pick<Post, 'id' | 'status'> | undefined;
  text: PostText;
  problems: PostProblems;
  /** The moment of change that the form knows of: what was saved since is not overwritten unasked. */
  version: Timestamp | undefined;
  /** Shows how the text will look. */
  isPreview?: boolean;
  /** Why nothing was saved, although nothing is wrong with the text. */
  obstacle?: { status: 409 | 429; text: Html };
}

export function readPostText(form: PostedForm): PostText {
  return {
    title: form.text('title'),
    // Forms send CR LF; one character per line break is enough.
    body: form.text('body').replaceAll('\r\n', '\n'),
    categoryId: Number(form.text('category')),
  };
}

/** The moment of change that the form was made from. */
export function readVersion(form: PostedForm): Timestamp | undefined {
  const text = form.text('version');
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function postFormPage(
  c: PageContext,
  form: PostForm,
  categories: readonly Category[],
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const { post, obstacle, text } = form;
  const isPublished = post?.status === 'published';
  const title = form.problems.title && t.titleProblems[form.problems.title];
  const body = form.problems.body && t.bodyProblems[form.problems.body];
  const category = form.problems.category && t.categoryProblem;
  const options = categories.map(({ id, name }) => ({ value: String(id), label: name }));
  const heading = t.headings[post?.status === 'removed' ? 'draft' : (post?.status ?? 'new')];
  const hasProblem = Object.keys(form.problems).length > 0;
  const path = post === undefined ? '/write' : `/posts/${post.id}`;
  const autosave = isPublished ? '' : html` data-autosave="${path}/autosave"`;
  return page(
    c,
    { title: heading, status: obstacle?.status ?? (hasProblem ? 400 : 200), script: EDITOR_SCRIPT },
    html`<h1>${heading}</h1>
${obstacle === undefined ? '' : html`<div class="notice wrong" role="alert">${obstacle.text}</div>`}
${form.isPreview === true ? preview(text, language) : html`<div id="preview"></div>`}
<form id="editor" method="post" action="${post === undefined ? path : `${path}/edit`}"${autosave} data-saving="${t.saving}" data-saved="${t.saved}" data-failed="${t.failed}">${formTokenField(c)}<input type="hidden" name="version" value="${form.version ?? ''}">
${problemSummary({ title, body, category }, language)}
${inputField({ name: 'title', label: t.title, problem: title, value: text.title, required: isPublished })}
${selectField({ name: 'category', label: t.category, problem: category, value: String(text.categoryId), options })}
${textField({ name: 'body', label: t.body, hint: t.bodyHint, problem: body, value: text.body, required: isPublished })}
<p id="saving" class="small soft" role="status"></p>
<div class="actions"><button name="action" value="preview" formnovalidate>${t.preview}</button>${isPublished ? html`<button class="primary">${t.save}</button>` : html`<button name="action" value="draft">${t.saveDraft}</button><button class="primary" name="action" value="publish">${t.publish}</button>`}</div></form>`,
  );
}

function preview({ title, body }: PostText, language: Language): Html {
  const t = words[language];
  return html`<section id="preview" class="card preview" tabindex="-1" aria-label="${t.preview}"><p class="eyebrow">${t.previewOnly}</p>
<article class="reading"><h2>${title.trim() === '' ? t.untitled : title}</h2>${body.trim() === '' ? html`<p class="soft">${t.noText}</p>` : prose(body)}</article></section>`;
}

const words = bilingual(
  {
    headings: { new: 'Write', draft: 'Edit your draft', published: 'Edit your post' },
    title: 'Title',
    category: 'Category',
    body: 'Text',
    bodyHint: 'Markdown: **bold**, _italic_, [link](https://example.org), # heading, - list, > quotation.',
    preview: 'Preview',
    previewOnly: 'How it will look when it is published',
    untitled: 'No title yet',
    noText: 'No text yet.',
    saving: 'Saving…',
    saved: 'Saved as a draft {time}',
    failed: 'Not saved: try again, or sign in again in another tab. What you wrote is still here.',
    save: 'Save changes',
    saveDraft: 'Save draft',
    publish: 'Publish',
    titleProblems: {
      missing: 'The post needs a title.',
      too_long: 'The title can have at most 120 characters.',
      hidden_characters: 'The title contains a hidden character.',
    },
    bodyProblems: {
      missing: 'The post needs some text.',
      too_long: 'The text can have at most 100,000 characters.',
    },
    categoryProblem: 'Choose one of the categories.',
  },
  {
    headings: { new: '写文章', draft: '编辑草稿', published: '编辑文章' },
    title: '标题',
    category: '分类',
    body: '正文',
    bodyHint: 'Markdown：**粗体**、_斜体_、[链接](https://example.org)、# 标题、- 列表、> 引用。',
    preview: '预览',
    previewOnly: '发布后的样子',
    untitled: '还没有标题',
    noText: '还没有正文。',
    saving: '正在保存…',
    saved: '草稿已于 {time} 保存',
    failed: '未能保存：请重试，或在另一个标签页中重新登录。您写的内容仍在这里。',
    save: '保存修改',
    saveDraft: '保存草稿',
    publish: '发布',
    titleProblems: {
      missing: '文章需要标题。',
      too_long: '标题最多 120 个字符。',
      hidden_characters: '标题中含有不可见字符。',
    },
    bodyProblems: { missing: '文章需要正文。', too_long: '正文最多 100,000 个字符。' },
    categoryProblem: '请选择一个分类。',
  },
);
