// The form for writing, answering and editing a comment, and the page that shows the form alone.

import { html } from 'hono/html';
import type { CommentProblem } from '../../../community/comment.ts';
import type { TooFast } from '../../../community/pace.ts';
import { problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { markdownField } from '../../pages/markdown-field.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import { MARKDOWN_SCRIPTS, PICTURES_SCRIPT, QUOTE_SCRIPT } from '../../static-files.ts';
import { type PictureOutcome, pictureBox, pictureStatus } from '../picture-box.ts';

/** The contents of the form, and the path that it is sent to. */
export interface CommentForm {
  action: string;
  kind: 'comment' | 'reply' | 'edit';
  body: string;
  /** Why the comment was refused. */
  problem?: CommentProblem | TooFast;
  /** What became of the picture that was just sent. */
  picture?: PictureOutcome | undefined;
}

/** Read the text of a comment from the form. */
export function readCommentText(form: PostedForm): string {
  // Browsers send line breaks as CR LF, but comments are stored with LF.
  return form.text('body').replaceAll('\r\n', '\n');
}

/** Make the form. */
export function commentForm(c: PageContext, form: CommentForm): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const problem = form.problem && problemWords(form.problem, language);
  return html`
    <form class="short" method="post" action="${form.action}">
      ${formTokenField(c)}
      ${problemSummary({ body: problem }, language)}
      ${markdownField(
        { name: 'body', label: t.labels[form.kind], hint: t.hint, problem, value: form.body },
        language,
        'comment',
      )}
      <div class="actions">
        ${form.kind === 'reply' && html`<button name="action" value="quote" formnovalidate>${t.quote}</button>`}
        <button class="primary">${t.buttons[form.kind]}</button>
      </div>
      ${pictureBox(c, `${form.action}/picture`, form.picture)}
    </form>`;
}

/** Show the form on a page of its own: for a reply, for an edit, and after a refusal. */
export function commentFormPage(
  c: PageContext,
  form: CommentForm,
  { back, quote = '' }: { back: string; quote?: Html | string },
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const title = t.titles[form.kind];
  return page(
    c,
    {
      title,
      status: form.picture ? pictureStatus(c, form.picture) : statusOf(c, form.problem),
      script: [...MARKDOWN_SCRIPTS, PICTURES_SCRIPT, ...(form.kind === 'reply' ? [QUOTE_SCRIPT] : [])],
    },
    html`
      <h1>${title}</h1>
      ${quote}
      ${commentForm(c, form)}
      <p><a href="${back}">${t.back}</a></p>`,
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
    buttons: { comment: 'Post comment', reply: 'Post reply', edit: 'Save changes' },
    quote: 'Quote the comment',
    hint: 'Markdown, up to 5,000 characters.',
    problems: {
      missing: 'Write a comment first.',
      locked: 'Comments on this post were closed. Your comment was not posted. Its text is kept below.',
      too_many_waiting:
        'Many of your comments wait for approval. You can write more when a moderator has looked at them. Your text is kept below.',
      too_long: 'A comment can have at most 5,000 characters.',
      too_complex:
        'This comment can’t be displayed, because its formatting is too complex. Shorten it, or use less Markdown.',
      busy: 'The server is busy. Nothing was saved. Try again in a moment.',
    },
    tooMany: (wait: string) =>
      `You’ve written or edited a lot of comments this hour. Try again in ${wait}. Your text is kept below.`,
    back: 'Back to the comments',
  },
  {
    titles: { comment: '您的评论', reply: '回复', edit: '编辑评论' },
    labels: { comment: '写评论', reply: '您的回复', edit: '您的评论' },
    buttons: { comment: '发表评论', reply: '发表回复', edit: '保存修改' },
    quote: '引用这条评论',
    hint: '支持 Markdown，最多 5,000 个字符。',
    problems: {
      missing: '请先输入评论内容。',
      locked: '这篇文章已关闭评论，您的评论没有发表。您写的内容仍保留在下面。',
      too_many_waiting: '您有许多评论正在等待审核。版主处理之后，您就可以继续评论。您写的内容仍保留在下面。',
      too_long: '评论最多 5,000 个字符。',
      too_complex: '评论的格式过于复杂，无法显示。请缩短评论，或减少 Markdown 标记。',
      busy: '服务器正忙，内容尚未保存。请稍后再试。',
    },
    tooMany: (wait) => `您这一小时的评论已达上限，${wait}后可以继续评论。您写的内容仍保留在下面。`,
    back: '返回评论',
  },
);
