// The page where anyone can have credentials of this site revoked that they found in public.

import { html } from 'hono/html';
import { problemSummary, textField } from '../pages/fields.ts';
import type { PostedForm } from '../pages/form-page.ts';
import { bilingual } from '../pages/language.ts';
import { page, visitorFormTokenField } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import { retryAfter, waitText } from '../pages/waiting.ts';
import { countReport, revokeReported } from '../report-limit.ts';
import { notice } from './notice.ts';
import { sharingOfPage } from './sharing.ts';
import type { SiteParts } from './site-parts.ts';

export const EXPOSED_PATH = '/credentials/revoke';

/** Show the form. */
export function exposedPage(_: SiteParts, c: PageContext): Promise<Response> {
  return formPage(c, {});
}

// As many as fit into a form that everybody may send.
const MOST_ON_PAGE = 200;

/** Revoke what is in the form. The answer is the same whether something was live. */
export async function revokeExposedCredentials(
  site: SiteParts,
  c: PageContext,
  form: PostedForm,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const texts = form
    .text('credentials')
    .split(/\s+/)
    .filter((text) => text !== '');
  if (texts.length === 0 || texts.length > MOST_ON_PAGE) {
    return formPage(c, { status: 400, problem: t.count });
  }
  const address = site.clientAddress(c);
  const tooFast = await countReport(site.identity, address, site.clock());
  if (tooFast !== undefined) {
    retryAfter(c, tooFast.retryAfterSeconds);
    return formPage(c, { status: 429, problem: t.tooFast(waitText(tooFast.retryAfterSeconds, language)) });
  }
  await revokeReported(site.oauth, address, texts);
  return c.redirect(`${EXPOSED_PATH}?done`, 303);
}

// The credentials are not shown again: the page could stay open.
function formPage(
  c: PageContext,
  { status = 200, problem }: { status?: 200 | 400 | 429; problem?: string },
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const field = { name: 'credentials', label: t.credentials, hint: t.hint, problem, value: '' };
  return page(
    c,
    { title: t.title, status, sharing: sharingOfPage(EXPOSED_PATH, t.explanation) },
    html`
      <div class="narrow">
        <h1>${t.title}</h1>
        ${notice(c.req.query('done') === undefined ? undefined : t.done)}
        <p>${t.explanation}</p>
        <form method="post" action="${EXPOSED_PATH}">
          ${visitorFormTokenField(c)}
          ${problem !== undefined && problemSummary({ credentials: problem }, language)}
          <div class="short">${textField(field)}</div>
          <div class="actions"><button class="danger">${t.revoke}</button></div>
        </form>
        <p class="soft">${t.secrets}</p>
        <p class="soft"><a href="/docs/tokens">${t.docs}</a></p>
      </div>`,
  );
}

const words = bilingual(
  {
    title: 'Revoke exposed credentials',
    explanation:
      'You found a token of this site in a repository, a log or a chat? Paste it here. If it works, it stops working at once, and its owner is told. You don’t need an account.',
    credentials: 'Tokens',
    hint: `One on each line, at most ${MOST_ON_PAGE}.`,
    secrets:
      'The secret of an application isn’t revoked, since the application would stop for everyone: its owner and the operators are told.',
    docs: 'What our tokens look like, and how programs report them',
    revoke: 'Revoke tokens',
    done: 'Thank you. If a token of this site was among them, it no longer works, and its owner was told.',
    count: `Paste 1 to ${MOST_ON_PAGE} tokens, separated by spaces or line breaks. A program can send more.`,
    tooFast: (wait: string) =>
      `Too many reports came from your network. Nothing was revoked. Try again in ${wait}.`,
  },
  {
    title: '撤销泄露的凭据',
    explanation:
      '在代码仓库、日志或聊天中发现了本站的令牌？请粘贴到这里。如果它仍然有效，会立即失效，其主人会收到通知。无需账号。',
    credentials: '令牌',
    hint: `每行一个，最多 ${MOST_ON_PAGE} 个。`,
    secrets: '应用的密钥不会被撤销，否则该应用将对所有人停用；我们会通知其所有者和管理员。',
    docs: '本站令牌的格式，以及程序如何报告',
    revoke: '撤销令牌',
    done: '谢谢。其中如有本站的令牌，现已失效，其主人已收到通知。',
    count: `请粘贴 1 到 ${MOST_ON_PAGE} 个令牌，用空格或换行分隔。程序可以提交更多。`,
    tooFast: (wait) => `来自您所在网络的报告过多，没有撤销任何内容。请在 ${wait}后重试。`,
  },
);
