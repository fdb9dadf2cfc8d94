// The form in which a comment is written, answered and changed, and the page that has nothing else.

import { html } from 'hono/html';
import type { CommentProblem } from '../../../community/comment.ts';
import type { TooFast } from '../../../community/pace.ts';
import { problemSummary, textField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';

export interface CommentForm {
  action: string;
  kind: 'comment' | 'reply' | 'edit';
  body: string;
  /** What keeps it from being taken. */
  problem?: CommentProblem | TooFast;
}

export function readCommentText(form: PostedForm): string {
  // Forms send CR LF; one character per line break is enough.
  return form.text('body').replaceAll('\r\n', '\n');
}

export function commentForm(c: PageContext, form: CommentForm): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const problem = form.problem && problemWords(form.problem, language);
  return html`<form class="short" method="post" action="${form.action}">${formTokenField(c)}
${problemSummary({ body: problem }, language)}
${textField({ name: 'body', label: t.labels[form.kind], hint: t.hint, problem, value: form.body })}
<div class="actions"><button class="primary">${t.buttons[form.kind]}</button></div></form>`;
}

/** A page for the form alone: where a reply or a change is written, and where what can't be taken is given back. */
export function commentFormPage(
  c: PageContext,
  form: CommentForm,
  { back, quoted }: { back: string; quoted?: Html },
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const title = t.titles[form.kind];
  return page(
    c,
    { title, status: statusOf(c, form.problem) },
    html`<h1>${title}</h1>${quoted ?? ''}
${commentForm(c, form)}<p><a href="${back}">${t.back}</a></p>`,
  );
}

function statusOf(c: PageContext, problem: CommentForm['problem']): 200 | 400 | 429 {
  if (problem === undefined) return 200;
  if (typeof problem === 'string') return 400;
  retryAfter(c, problem.retryAfterSeconds);
  return 429;
}

function problemWords(problem: CommentProblem | TooFast, language: Language): string {
  const t = words[language];
  return typeof problem === 'string'
    ? t.problems[problem]
    : t.tooMany(waitText(problem.retryAfterSeconds, language));
}

const words = bilingual(
  {
    titles: { comment: 'Your comment', reply: 'Reply', edit: 'Edit your comment' },
    labels: { comment: 'Write a comment', reply: 'Your reply', edit: 'Your comment' },
    buttons: { comment: 'Comment', reply: 'Reply', edit: 'Save changes' },
    hint: 'Markdown. At most 5,000 characters.',
    problems: {
      missing: 'Write something first.',
      too_long: 'A comment can have at most 5,000 characters.',
    },
    tooMany: (wait: string) =>
      `That is enough comments for this hour; yours is kept below. Go on in ${wait}.`,
    back: 'Back to the comments',
  },
  {
    titles: { comment: '您的评论', reply: '回复', edit: '编辑评论' },
    labels: { comment: '写评论', reply: '您的回复', edit: '您的评论' },
    buttons: { comment: '发表评论', reply: '回复', edit: '保存修改' },
    hint: '支持 Markdown，最多 5,000 个字符。',
    problems: { missing: '请先写点内容。', too_long: '评论最多 5,000 个字符。' },
    tooMany: (wait) => `您这一小时的评论已达上限，下面保留了您写的内容。请在 ${wait}后继续。`,
    back: '返回评论',
  },
);
