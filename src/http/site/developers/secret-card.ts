// A new secret, shown once, to copy.

import { html } from 'hono/html';
import { bilingual } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';

/** Show the text of a new secret. Only this response ever does. The page needs the copy script. */
export function newSecretCard(c: PageContext, secret: string, title?: string): Html {
  const t = words[c.get('visitor').language];
  return html`
    <section class="card fresh" role="status">
      <h2>${title ?? t.title}</h2>
      <p class="soft small">${t.why}</p>
      <div class="copied">
        <pre class="once" id="new-secret" tabindex="0" aria-label="${t.secret}">${secret}</pre>
        <button type="button" hidden data-copy="new-secret" data-done="${t.done}" aria-live="polite">${t.copy}</button>
      </div>
    </section>`;
}

const words = bilingual(
  {
    title: 'Copy the client secret now',
    why: 'It is shown only once, and we don’t store it. Keep it on your server; never in a page, an app or a repository.',
    secret: 'The new secret',
    copy: 'Copy',
    done: 'Copied',
  },
  {
    title: '请立即复制客户端密钥',
    why: '它只显示这一次，我们不会保存它。请保存在您的服务器上，不要放入网页、应用程序或代码仓库。',
    secret: '新密钥',
    copy: '复制',
    done: '已复制',
  },
);
