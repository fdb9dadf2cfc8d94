// "Are you sure?": the page before an act that can't be undone, or that other people notice.

import { html } from 'hono/html';
import { formTokenField, type Html, type PageOptions, page, visitorFormTokenField } from './page.ts';
import type { PageContext } from './visitor.ts';

export interface Question extends Pick<PageOptions, 'status' | 'menu'> {
  /** The question itself. */
  title: string;
  /** Why the act was refused just now. */
  problem?: string | undefined;
  /** The subject of the question, and what the act leads to. */
  explanation?: Html;
  /** The consequences of the act. */
  consequences?: readonly string[];
  /** Fields of the form, such as a password. */
  fields?: Html;
  /** The path that the form is posted to. */
  action: string;
  /** The text of the button that performs the act. */
  button: string;
  /** False for an act that destroys nothing. */
  isDangerous?: boolean;
  /** The link that cancels. A page behind a mailed link has none: it is closed instead. */
  back?: { path: string; text: string };
  /** The path of the form takes `visitorForm`. */
  isForVisitor?: boolean;
  /** Text below the form. */
  note?: string;
}

/** Ask before an act. */
export function questionPage(c: PageContext, question: Question): Promise<Response> {
  const { title, status = 200, menu } = question;
  const content = questionContent(c, question);
  return menu === undefined
    ? page(c, { title, status }, html`<div class="narrow">${content}</div>`)
    : page(c, { title, status, menu }, content);
}

function questionContent(c: PageContext, question: Question): Html {
  const {
    title,
    problem,
    explanation = '',
    consequences,
    fields = '',
    action,
    button,
    back,
    note,
  } = question;
  return html`
    <h1>${title}</h1>
    ${problem !== undefined && html`<p class="notice wrong" role="alert">${problem}</p>`}
    ${explanation}
    ${consequences !== undefined && consequenceList(consequences)}
    <form method="post" action="${action}">
      ${question.isForVisitor === true ? visitorFormTokenField(c) : formTokenField(c)}
      ${fields}
      <div class="actions">
        ${back !== undefined && html`<a class="button" href="${back.path}">${back.text}</a>`}
        <button class="${question.isDangerous === false ? 'primary' : 'danger'} guarded">${button}</button>
      </div>
    </form>
    ${note !== undefined && html`<p class="soft">${note}</p>`}`;
}

/** The consequences of an act, as a list. */
export function consequenceList(consequences: readonly string[]): Html {
  return html`
    <ul class="consequences">
      ${consequences.map((consequence) => html`<li>${consequence}</li>`)}
    </ul>`;
}
