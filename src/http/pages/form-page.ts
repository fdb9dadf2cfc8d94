// Reading the forms of our pages safely, and choosing where to go afterwards.

import { html } from 'hono/html';
import {
  bodyPairs,
  checkFields,
  LONGEST_OF_STRANGERS,
  LONGEST_PATH,
  TEXTS,
  UnreadableForm,
} from '../request-form.ts';
import { bilingual } from './language.ts';
import { type Html, page } from './page.ts';
import { isFormToken, isVisitorFormToken, type PageContext } from './visitor.ts';

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

  /** The texts of all fields with this name. */
  all(name: string): string[] {
    return this.fields.getAll(name);
  }

  /** All fields, in their order. */
  entries(): [string, string][] {
    return [...this.fields];
  }

  /** Report whether the form has the field, even if it is empty. */
  has(name: string): boolean {
    return this.fields.has(name);
  }
}

/**
 * Read a form from one of our pages in this browser, or answer with a page that says why it is refused. The
 * form's token is the proof. `Origin` proves nothing: Chromium sends `null` from a page with no-referrer.
 */
export async function readPostedForm(c: PageContext, about?: string): Promise<PostedForm | Response> {
  return readForm(c, (fields) => isFormToken(c, fields.get('form_token') ?? undefined, about));
}

/**
 * As `readPostedForm`, for a form that is not tied to the signed-in member: it may have been opened before
 * someone signed in or out in another tab.
 */
export function readVisitorForm(c: PageContext): Promise<PostedForm | Response> {
  return readForm(c, (fields) => {
    const token = fields.get('form_token') ?? undefined;
    return isVisitorFormToken(c, token) || isFormToken(c, token);
  });
}

/**
 * Read a form that can't harm a visitor who is not signed in, whichever site sends it. So pages
 * for such visitors need no token, and no cookie to bind it to. A member's form needs the token.
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
  const { visit, wasMember } = c.get('visitor');
  const isMembers = visit !== undefined || (await wasMember?.()) === true;
  const pairs = await (isMembers ? bodyPairs(c) : bodyPairs(c, LONGEST_OF_STRANGERS).catch(unlessTooLong));
  // A long text is that of a member who is signed out by now.
  if (pairs === undefined) return outdatedForm(c, { isUnread: true });
  const fields = new URLSearchParams(pairs);
  checkFields(fields);
  await c.get('visitor').lookAgain?.();
  const site = c.req.header('sec-fetch-site');
  // The text is not shown again: another site must not choose the words on one of our pages.
  if (site === 'cross-site' || site === 'same-site') return outdatedForm(c);
  const form = new PostedForm(fields);
  return isOurs(fields) ? form : outdatedForm(c, { form });
}

function unlessTooLong(error: unknown): undefined {
  if (error instanceof UnreadableForm && error.status === 413) return undefined;
  throw error;
}

/** Return a path of this site unchanged, and the home page for anything else. */
export function localPath(text: string | undefined): string {
  if (text === undefined || text.length > LONGEST_PATH) return '/';
  // A path that begins with `//`, or with `/\\`, which browsers treat the same, names another host.
  return /^\/(?![/\\])[\x21-\x5B\x5D-\x7E]*$/.test(text) ? text : '/';
}

// The longest post. For strangers the page is no longer than others that anyone can open.
const MOST_SHOWN_AGAIN = 100_000;
const MOST_SHOWN_TO_STRANGERS = 10_000;

/**
 * Answer that the form does not belong to the browser's current session. Nothing was changed. The page shows
 * the text again, so that it can be copied. A long one is shown to members only, or it would fill the memory.
 */
export async function outdatedForm(
  c: PageContext,
  {
    startAgainAt,
    form,
    isUnread = false,
  }: { startAgainAt?: string; form?: PostedForm; isUnread?: boolean } = {},
): Promise<Response> {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  const written = TEXTS.map((name) => form?.text(name) ?? '').filter((text) => text !== '');
  const { length } = written.join('');
  const isForAnyone = length <= MOST_SHOWN_TO_STRANGERS;
  const isForVisitor =
    isForAnyone || (length <= MOST_SHOWN_AGAIN && ((await visitor.wasMember?.()) ?? false));
  const isShown = !isUnread && isForVisitor;
  const texts = isShown ? written : [];
  const back = isShown ? t.back : t.copyFirst;
  return page(
    c,
    { title: t.title, status: 403 },
    html`
      <h1>${t.title}</h1>
      <p>${t.explanation}</p>
      ${startAgainAt === undefined && html`<p class="soft">${back}</p>`}
      ${startAgainAt !== undefined && startAgainLink(startAgainAt, t.again)}
      ${texts.length > 0 && html`<h2>${t.written}</h2>`}
      ${texts.map((text) => html`<pre tabindex="0">${text}</pre>`)}`,
  );
}

function startAgainLink(path: string, text: string): Html {
  return html`<p><a class="button primary" href="${path}">${text}</a></p>`;
}

const words = bilingual(
  {
    title: 'This form is out of date',
    explanation:
      'You signed in or out after you opened the page, or the form came from another site. Nothing was changed.',
    back: 'Go back, reload the page and send the form again.',
    copyFirst: 'Go back and copy your text. Then reload the page and send the form again.',
    again: 'Open the page again',
    written: 'Your text, to copy',
  },
  {
    title: '此表单已过期',
    explanation: '打开页面之后您登录或退出过，或者表单并非来自本站。未作任何更改。',
    back: '请返回并刷新页面，然后重新提交。',
    copyFirst: '请返回并复制您写的内容，然后刷新页面，重新提交。',
    written: '您写的内容（可复制）',
    again: '重新打开页面',
  },
);
