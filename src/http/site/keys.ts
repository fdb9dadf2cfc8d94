// The shortcuts of the keyboard, and the button that switches them off.

import { html } from 'hono/html';
import type { PostedForm } from '../pages/form-page.ts';
import { chooseKeys, hasKeys } from '../pages/keys-choice.ts';
import { bilingual } from '../pages/language.ts';
import { formTokenField, page } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import type { SiteParts } from './site-parts.ts';
import { table } from './table.ts';

const PATH = '/keys';
const KEYS = [
  ['/', 'search'],
  ['j', 'next'],
  ['k', 'previous'],
  ['Enter', 'open'],
  ['?', 'help'],
] as const;

/** List the keys. */
export function keysPage(_: SiteParts, c: PageContext): Promise<Response> {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const isOn = hasKeys(c);
  const rows = KEYS.map(
    ([key, act]) =>
      html`<tr><th scope="row"><kbd>${key}</kbd></th><td data-label="${t.act}">${t.acts[act]}</td></tr>`,
  );
  return page(
    c,
    { title: t.title },
    html`
      <h1>${t.title}</h1>
      <p>${t.explanation}</p>
      ${table([t.key, t.act], rows)}
      <form class="card" method="post" action="${PATH}">
        ${visit !== undefined && formTokenField(c)}
        <p role="status">${isOn ? t.areOn : t.areOff}</p>
        <button name="keys" value="${isOn ? 'off' : 'on'}">${isOn ? t.switchOff : t.switchOn}</button>
      </form>`,
  );
}

/** Switch the keys on or off in this browser. */
export function switchKeys(_: SiteParts, c: PageContext, form: PostedForm): Response {
  chooseKeys(c, form.text('keys') !== 'off');
  return c.redirect(PATH, 303);
}

const words = bilingual(
  {
    title: 'Keyboard shortcuts',
    explanation: 'They don’t work while you type in a field, or while Ctrl, Alt or ⌘ is pressed.',
    key: 'Key',
    act: 'What it does',
    acts: {
      search: 'Go to the search field',
      next: 'Go to the next entry of a list: posts, search results, notifications, rows of a table',
      previous: 'Go to the previous entry',
      open: 'Open the entry',
      help: 'Show this page',
    },
    areOn: 'Shortcuts are on in this browser.',
    areOff: 'Shortcuts are off in this browser.',
    switchOff: 'Turn off shortcuts',
    switchOn: 'Turn on shortcuts',
  },
  {
    title: '键盘快捷键',
    explanation: '在输入框中输入时，或按住 Ctrl、Alt、⌘ 时，快捷键不起作用。',
    key: '按键',
    act: '作用',
    acts: {
      search: '跳到搜索框',
      next: '跳到列表的下一项：文章、搜索结果、通知、表格中的一行',
      previous: '跳到上一项',
      open: '打开该项',
      help: '显示本页',
    },
    areOn: '此浏览器已启用快捷键。',
    areOff: '此浏览器已停用快捷键。',
    switchOff: '停用快捷键',
    switchOn: '启用快捷键',
  },
);
