// The form in which a post is written and changed.

import { html } from 'hono/html';
import type { PostProblems, PostText } from '../../community/post.ts';
import type { Category } from '../../community/store.ts';
import { inputField, problemSummary, selectField, textField } from '../fields.ts';
import type { PostedForm } from '../form-page.ts';
import { bilingual } from '../language.ts';
import { formTokenField, page } from '../page.ts';
import type { PageContext } from '../visitor.ts';

export interface PostForm {
  action: string;
  /** Drafts can be published from the form; what is published is only changed. */
  kind: 'new' | 'draft' | 'published';
  text: PostText;
  problems: PostProblems;
  categories: readonly Category[];
}

export function readPostText(form: PostedForm): PostText {
  return {
    title: form.text('title'),
    // Forms send CR LF; one character per line break is enough.
    body: form.text('body').replaceAll('\r\n', '\n'),
    categoryId: Number(form.text('category')),
  };
}

export function postFormPage(c: PageContext, form: PostForm): Response | Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = form.problems.title && t.titleProblems[form.problems.title];
  const body = form.problems.body && t.bodyProblems[form.problems.body];
  const category = form.problems.category && t.categoryProblem;
  const options = form.categories.map(({ id, name }) => ({ value: String(id), label: name }));
  const heading = t.headings[form.kind];
  return page(
    c,
    { title: heading, status: Object.keys(form.problems).length > 0 ? 400 : 200 },
    html`<h1>${heading}</h1>
<form method="post" action="${form.action}">${formTokenField(c)}
${problemSummary({ title, body, category }, language)}
${inputField({ name: 'title', label: t.title, problem: title, value: form.text.title, required: true })}
${selectField({ name: 'category', label: t.category, problem: category, value: String(form.text.categoryId), options })}
${textField({ name: 'body', label: t.body, hint: t.bodyHint, problem: body, value: form.text.body })}
<div class="actions">${form.kind === 'published' ? html`<button class="primary">${t.save}</button>` : html`<button name="action" value="draft">${t.saveDraft}</button><button class="primary" name="action" value="publish">${t.publish}</button>`}</div></form>`,
  );
}

const words = bilingual(
  {
    headings: { new: 'Write', draft: 'Edit your draft', published: 'Edit your post' },
    title: 'Title',
    category: 'Category',
    body: 'Text',
    bodyHint: 'Markdown: **bold**, _italic_, [link](https://example.org), # heading, - list, > quotation.',
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
