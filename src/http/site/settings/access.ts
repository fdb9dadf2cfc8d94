// What can still read the account after a new password: API tokens and connected applications, all ticked to be
// revoked with one button. Someone who knew the old password may have made them.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { revokeOwnPersonalToken } from '../../../oauth/personal-token.ts';
import { withdrawOwnConsent } from '../../../oauth/withdrawal.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { passwordAdvice } from '../joining/password-advice.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsPage } from './page.ts';

export const ACCESS_PATH = '/settings/security/access';

/** List the tokens and applications, all ticked. */
export async function accessPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { tokens, clients } = await accessOf(site, user);
  const { language } = c.get('visitor');
  const t = words[language];
  const done = c.req.query('done');
  const items = [
    ...tokens.map(({ id, name, createdAt }) =>
      item('token', String(id), name, html`${t.token} ${dayElement(createdAt, c.get('visitor'))}`),
    ),
    ...clients.map(({ client, grant }) =>
      item(
        'client',
        client.id,
        client.name,
        html`${t.application} ${dayElement(grant.grantedAt, c.get('visitor'))}`,
      ),
    ),
  ];
  return settingsPage(
    c,
    '/settings/security',
    { title: t.title },
    html`
      <p class="eyebrow"><a href="/settings/security">${t.security}</a></p>
      <h1>${t.title}</h1>
      ${notice(done === 'password' ? t.passwordChanged : done === 'revoked' ? t.revoked : undefined)}
      ${passwordAdvice(c)}
      ${items.length === 0 ? html`<p class="empty">${t.none}</p>` : revokeForm(c, items)}`,
  );
}

async function accessOf({ oauth, clock }: SiteParts, { id }: User) {
  const [tokens, clients] = await Promise.all([
    oauth.reads.personalTokensOf(id),
    oauth.reads.connectedClients(id, clock()),
  ]);
  return { tokens, clients };
}

function item(name: 'token' | 'client', value: string, title: string, detail: Html): Html {
  return html`
    <li>
      <label>
        <input type="checkbox" name="${name}" value="${value}" checked>
        <span>
          <strong>${title}</strong>
          <br>
          <span class="soft small">${detail}</span>
        </span>
      </label>
    </li>`;
}

function revokeForm(c: PageContext, items: readonly Html[]): Html {
  const t = words[c.get('visitor').language];
  return html`
    <p>${t.explanation}</p>
    <form method="post" action="${ACCESS_PATH}">
      ${formTokenField(c)}
      <fieldset class="field">
        <legend>${t.legend}</legend>
        <ul class="tick">${items}</ul>
      </fieldset>
      <div class="actions">
        <a class="button" href="/settings/security">${t.keep}</a>
        <button class="danger">${t.revoke}</button>
      </div>
    </form>`;
}

/** Revoke what is ticked. */
export async function revokeAccess(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const by = byMember(user, site.clock, site.clientAddress(c));
  const { tokens, clients } = await accessOf(site, user);
  const ticked = { tokens: new Set(form.all('token')), clients: new Set(form.all('client')) };
  // Of a thousand ids in a form, only those of the member's own become transactions.
  for (const { id } of tokens) {
    if (ticked.tokens.has(String(id))) await revokeOwnPersonalToken(by, site.oauth, id);
  }
  for (const { client } of clients) {
    if (ticked.clients.has(client.id)) await withdrawOwnConsent(by, site.oauth, client.id);
  }
  return c.redirect(`${ACCESS_PATH}?done=revoked`, 303);
}

const words = bilingual(
  {
    title: 'Review access',
    security: 'Security',
    passwordChanged: 'Password changed. You’re still signed in here; other browsers were signed out.',
    revoked: 'Access revoked. It stopped at once.',
    explanation:
      'A new password doesn’t remove these. Apps that run on a device or in a browser were signed out; the others can still read your account. If someone else may have known the old password, revoke them all. You can connect applications again, and create new tokens.',
    legend: 'Revoke',
    token: 'API token, created on',
    application: 'Application, connected on',
    keep: 'Keep all',
    revoke: 'Revoke access',
    none: 'No API tokens or applications can read your account.',
  },
  {
    title: '检查访问权限',
    security: '安全',
    passwordChanged: '密码已更改。此浏览器仍保持登录，其他浏览器均已退出。',
    revoked: '已撤销，访问立即停止。',
    explanation:
      '更改密码不会移除以下令牌和应用。在设备或浏览器中运行的应用已退出登录，其余的仍可读取您的账号。如果可能有他人知道旧密码，请全部撤销。之后您可以重新连接应用、新建令牌。',
    legend: '撤销',
    token: 'API 令牌，创建于',
    application: '应用，连接于',
    keep: '全部保留',
    revoke: '撤销访问权限',
    none: '没有可以读取您账号的 API 令牌或应用。',
  },
);
