// A new API token, shown once: to copy, for a `.env` file, and in a command to try it.

import { html } from 'hono/html';
import type { ScopeSet } from '../../../oauth/scope.ts';
import { bilingual } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { PATHS } from '../../routes.ts';
import type { SiteParts } from '../site-parts.ts';

/** Show the text of a new token. Only this response ever does. The page needs the copy script. */
export function newTokenCard(site: SiteParts, c: PageContext, token: string, scopes: ScopeSet): Html {
  const t = words[c.get('visitor').language];
  const path = scopes.includes('profile:read') ? '/me' : '/me/posts';
  const curl = `curl -H "Authorization: Bearer ${token}" ${site.site.baseUrl}${PATHS.api}${path}`;
  const line = `${site.oauth.brand.toUpperCase()}_TOKEN=${token}`;
  const copied = (id: string, label: string, text: string) => html`
    <div class="copied">
      <pre class="once" id="${id}" tabindex="0" aria-label="${label}">${text}</pre>
      <button type="button" hidden data-copy="${id}" data-done="${t.done}" aria-live="polite">${t.copy}</button>
    </div>`;
  return html`
    <section class="card fresh" role="status">
      <h2>${t.title}</h2>
      <p class="soft small">${t.why}</p>
      ${copied('new-token', t.token, token)}
      <p class="small">${t.line}</p>
      ${copied('env-line', t.lineLabel, line)}
      <p class="small">${t.tryIt}</p>
      ${copied('curl-line', 'curl', curl)}
    </section>`;
}

const words = bilingual(
  {
    title: 'Copy your new token now',
    why: 'It is shown only once, and we don’t store it. If you lose it, revoke it and create another.',
    token: 'The new token',
    line: 'As a line of a .env file:',
    lineLabel: 'Line of a .env file',
    tryIt: 'Try it:',
    copy: 'Copy',
    done: 'Copied',
  },
  {
    title: '请立即复制新令牌',
    why: '它只显示这一次，我们不会保存它。如果遗失，请撤销并新建一个。',
    token: '新令牌',
    line: '写入 .env 文件：',
    lineLabel: '.env 文件中的一行',
    tryIt: '试一试：',
    copy: '复制',
    done: '已复制',
  },
);
