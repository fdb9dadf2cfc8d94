// Pages for failures: no such page, an unreadable form, an error on our side.

import { html } from 'hono/html';
import type { Problem } from '../problem.ts';
import { contactLine } from './contact.ts';
import { bilingual } from './language.ts';
import { page } from './page.ts';
import type { PageContext } from './visitor.ts';

/** Answer that there is no page at this address, or none that this visitor may see. */
export function notFoundPage(c: PageContext): Promise<Response> {
  const { notFound, notFoundBecause } = words[c.get('visitor').language];
  return explanation(c, 404, notFound, notFoundBecause);
}

/** Answer that the request failed, with an id that finds the log entry and no internal detail. */
export function failurePage(c: PageContext, status: Problem['status'], errorId: string): Promise<Response> {
  const t = words[c.get('visitor').language];
  const shownStatus = status in t.failures ? (status as keyof typeof t.failures) : 500;
  const { title, text } = t.failures[shownStatus];
  return page(
    c,
    { title, status: shownStatus },
    html`
      <h1>${title}</h1>
      <p>${text}</p>
      <p class="soft small">${t.errorId} <code>${errorId}</code></p>
      ${contactLine(c)}
      <p><a class="button" href="/">${t.home}</a></p>`,
  );
}

/** Answer that the page would lead to an address that is too long, such as one with an application's large `state`. */
export function longAddressPage(c: PageContext): Promise<Response> {
  const { tooLong, tooLongBecause } = words[c.get('visitor').language];
  return explanation(c, 414, tooLong, tooLongBecause);
}

function explanation(c: PageContext, status: 404 | 414, title: string, text: string): Promise<Response> {
  return page(
    c,
    { title, status },
    html`
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a class="button" href="/">${words[c.get('visitor').language].home}</a></p>`,
  );
}

const words = bilingual(
  {
    notFound: 'Page not found',
    notFoundBecause:
      'The address may be wrong, the page may have been removed, or you may not be allowed to see it.',
    tooLong: 'This address is too long',
    tooLongBecause:
      'The next page would have an even longer one, which browsers and servers don’t take. If an application sent you here, its developers can make its request shorter.',
    home: 'Go to the home page',
    errorId: 'Error id',
    failures: {
      400: {
        title: 'We could not read this form',
        text: 'It has too many fields, or characters that can’t be read. Nothing was changed.',
      },
      413: {
        title: 'This is too long',
        text: 'The form is larger than this site accepts. Nothing was changed. Go back and shorten it.',
      },
      415: {
        title: 'This is not a form',
        text: 'This site accepts only forms from its own pages. Nothing was changed.',
      },
      429: {
        title: 'Too many large forms at once',
        text: 'Nothing was changed. Go back, wait a few seconds and send the form again.',
      },
      500: {
        title: 'Something went wrong on our side',
        text: 'It’s not your fault. We’ve logged it. Try again, and if it happens again, send the operators the id below.',
      },
      503: {
        title: 'One moment, please',
        text: 'The community is unavailable right now. Nothing was changed. Try again in a few minutes.',
      },
    },
  },
  {
    notFound: '页面不存在',
    notFoundBecause: '地址可能有误，页面可能已被移除，或者您没有访问权限。',
    tooLong: '地址太长',
    tooLongBecause:
      '下一个页面的地址会更长，浏览器和服务器都无法接受。如果是某个应用把您带到这里的，它的开发者可以缩短请求。',
    home: '返回首页',
    errorId: '错误编号',
    failures: {
      400: { title: '无法读取此表单', text: '表单的字段过多，或包含无法读取的字符。未作任何更改。' },
      413: { title: '内容太长', text: '提交的内容超过了本站允许的大小。未作任何更改。请返回并缩短内容。' },
      415: { title: '这不是表单', text: '本站只接受来自本站页面的表单。未作任何更改。' },
      429: { title: '同时提交的大表单太多', text: '未作任何更改。请返回，稍等几秒后重新提交。' },
      500: {
        title: '我们这边出了问题',
        text: '这不是您的错，问题已被记录。请重试；如果再次发生，请把下面的编号告诉管理员。',
      },
      503: { title: '请稍候', text: '社区暂时无法访问。未作任何更改。请过几分钟再试。' },
    },
  },
);
