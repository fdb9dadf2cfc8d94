// What every page with a form shares: reading it safely, and where to go afterwards.

import { html } from 'hono/html';
import { bodyPairs } from '../request-form.ts';
import { bilingual } from './language.ts';
import { page } from './page.ts';
import { isFormToken, type PageContext } from './visitor.ts';

/** The fields of a form that was posted from one of our pages. */
export class PostedForm {
  private readonly fields: URLSearchParams;

  constructor(fields: URLSearchParams) {
    this.fields = fields;
  }

  /** The field's text, empty if it is missing. NUL, which no text needs, is replaced. */
  text(name: string): string {
    return (this.fields.get(name) ?? '').replaceAll('\0', '\uFFFD');
  }

  all(name: string): string[] {
    return this.fields.getAll(name);
  }

  has(name: string): boolean {
    return this.fields.has(name);
  }
}

/**
 * Reads a form that a page of ours gave to this very browser, or answers with a page that says why it can't be taken.
 * Origin can't be relied on (Chromium sends `null` from a no-referrer page), the token in the form can.
 */
export async function readPostedForm(c: PageContext, about?: string): Promise<PostedForm | Response> {
  return readForm(c, (fields) => isFormToken(c, fields.get('form_token') ?? undefined, about));
}

/**
 * The same for what does a stranger no harm, whoever asks for it: their pages then need no token, and their browsers no
 * cookie to bind it to. A member's must have one.
 */
export function readHarmlessForm(c: PageContext): Promise<PostedForm | Response> {
  return readForm(
    c,
    (fields) => c.get('visitor').visit === undefined || isFormToken(c, fields.get('form_token') ?? undefined),
  );
}

async function readForm(
  c: PageContext,
  isOurs: (fields: URLSearchParams) => boolean,
): Promise<PostedForm | Response> {
  const fields = new URLSearchParams(await bodyPairs(c));
  await c.get('visitor').lookAgain?.();
  const site = c.req.header('sec-fetch-site');
  // Nothing of it is given back: another site must not choose the words of a page of ours.
  if (site === 'cross-site' || site === 'same-site') return outdatedForm(c);
  const form = new PostedForm(fields);
  return isOurs(fields) ? form : outdatedForm(c, { form });
}

/** An address on this site to continue at: a path of ours as it came, or the home page for anything else. */
export function localPath(text: string | undefined): string {
  // A path that begins with two slashes, or with what browsers read as one, names another host.
  return text !== undefined && /^\/(?![/\\])[\x21-\x5B\x5D-\x7E]*$/.test(text) ? text : '/';
}

/**
 * Answers that the form is not from this browser's present session. Nothing was changed; what somebody wrote is given
 * back, so that it can be copied.
 */
export function outdatedForm(
  c: PageContext,
  { startAgainAt, form }: { startAgainAt?: string; form?: PostedForm } = {},
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const written = ['title', 'body', 'bio', 'note']
    .map((name) => form?.text(name) ?? '')
    .filter((text) => text !== '');
  return page(
    c,
    { title: t.title, status: 403 },
    html`<h1>${t.title}</h1><p>${t.explanation}</p>${startAgainAt === undefined ? html`<p class="soft">${t.back}</p>` : html`<p><a class="button primary" href="${startAgainAt}">${t.again}</a></p>`}
${written.length === 0 ? '' : html`<h2>${t.written}</h2>${written.map((text) => html`<pre tabindex="0">${text}</pre>`)}`}`,
  );
}

const words = bilingual(
  {
    title: 'This form is out of date',
    explanation:
      'You signed in or out since the page was opened, or it came from somewhere else. Nothing was changed.',
    back: 'Go back, reload the page and send it again.',
    again: 'Open the page again',
    written: 'What you wrote, to copy',
  },
  {
    title: '此表单已过期',
    explanation: '打开页面之后您登录或退出过，或者表单并非来自本站。没有任何内容被更改。',
    back: '请返回并刷新页面，然后重新提交。',
    written: '您写的内容（可复制）',
    again: '重新打开页面',
  },
);
