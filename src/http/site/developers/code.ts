// Programs to copy, with the application's own values.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { bilingual } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { COPY_SCRIPT } from '../../static-files.ts';
import type { SiteParts } from '../site-parts.ts';
import { type CodeSample, codeSamples } from './code-samples.ts';
import { appPage } from './frame.ts';

/** Show the programs. */
export function codePage({ site }: SiteParts, c: PageContext, _: User, client: Client): Promise<Response> {
  const t = words[c.get('visitor').language];
  const samples = codeSamples(client, site.baseUrl);
  return appPage(
    c,
    client,
    '/code',
    { script: COPY_SCRIPT },
    html`
      <p>${t.means}</p>
      ${client.kind === 'confidential' && html`<p class="soft">${t.secret}</p>`}
      ${samples.map((sample, index) => sampleCard(c, sample, index))}
      <p class="soft">${t.idToken} <a href="/docs/openid">OpenID Connect</a></p>`,
  );
}

function sampleCard(c: PageContext, { language, file, run, code }: CodeSample, index: number): Html {
  const t = words[c.get('visitor').language];
  const id = `sample-${index}`;
  return html`
    <details class="card"${index === 0 && html` open`}>
      <summary><strong>${language}</strong> <span class="soft small">${file} · <code>${run}</code></span></summary>
      <div class="copied stacked">
        <pre id="${id}" tabindex="0" aria-label="${language}">${code}</pre>
        <button type="button" hidden data-copy="${id}" data-done="${t.done}" aria-live="polite">${t.copy}</button>
      </div>
    </details>`;
}

const words = bilingual(
  {
    means:
      'Each program signs a member in with this application and prints what it reads. It needs no library. Replace reading from the terminal with your callback page.',
    secret: 'Set the secret in the environment, as CLIENT_SECRET.',
    idToken: 'To trust who signed in without asking again, verify the id_token with a library:',
    copy: 'Copy',
    done: 'Copied',
  },
  {
    means:
      '每个程序都用此应用让一位成员登录，并输出读取的内容，不需要任何库。正式使用时，请用您的回调页面代替终端输入。',
    secret: '请在环境变量 CLIENT_SECRET 中设置密钥。',
    idToken: '如需无需再次请求即可确认登录者的身份，请用库验证 id_token：',
    copy: '复制',
    done: '已复制',
  },
);
