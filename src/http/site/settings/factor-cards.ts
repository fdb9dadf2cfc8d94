// The second factor of an account, as a card of the security settings.

import { html } from 'hono/html';
import type { FactorReset } from '../../../identity/factor-store.ts';
import type { Passkey } from '../../../identity/passkey-store.ts';
import type { User } from '../../../identity/user.ts';
import { bilingual } from '../../pages/language.ts';
import { clockTimeOf, dayElement, offsetOf } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { factorNotice } from '../factor-notice.ts';
import { siteOfPasskeys } from '../passkey-button.ts';
import type { SiteParts } from '../site-parts.ts';

export const APP_PATH = '/settings/security/app';
export const PASSKEYS_PATH = '/settings/security/passkeys';
export const RECOVERY_PATH = '/settings/security/recovery-codes';
const KEEP_PATH = '/settings/security/factors/keep';
const FEW_CODES = 3;

/** Show the member's factors, with buttons to add and remove them. */
export async function factorCard(site: SiteParts, c: PageContext, user: User): Promise<Html> {
  const { identity } = site;
  const t = words[c.get('visitor').language];
  const { appSince, recoveryCodes } = await identity.reads.factorsOf(user.id);
  const reset = await identity.reads.findFactorReset(user.id);
  return html`
    <section class="card" id="second-factor">
      <h2>${t.title}</h2>
      <p class="soft">${user.hasFactor ? t.on : t.off}</p>
      ${await factorNotice(site, c, user)}
      ${reset !== undefined && resetNotice(c, reset)}
      <div class="row spread factor">
        <p>
          <strong>${t.app}</strong>
          <br>
          <span class="soft small">
            ${appSince === undefined ? t.none : html`${t.since} ${dayElement(appSince, c.get('visitor'))}`}
          </span>
        </p>
        ${appSince === undefined ? setUpForm(c) : html`<a class="button" href="${APP_PATH}/remove">${t.remove}</a>`}
      </div>
      ${siteOfPasskeys(c) !== undefined && passkeyRow(c, await identity.reads.passkeysOf(user.id))}
      ${user.hasFactor && recoveryRow(c, recoveryCodes)}
    </section>`;
}

function resetNotice(c: PageContext, { dueAt }: FactorReset): Html {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  return html`
    <form method="post" action="${KEEP_PATH}" class="notice wrong" role="alert">
      ${formTokenField(c)}
      <p>
        ${t.reset} ${dayElement(dueAt, visitor)} ${clockTimeOf(dueAt, visitor)} (${offsetOf(dueAt, visitor)})${t.stop}
        ${t.resetHint}
      </p>
      <button class="primary">${t.keep}</button>
    </form>`;
}

function setUpForm(c: PageContext): Html {
  return html`
    <form method="post" action="${APP_PATH}/start">
      ${formTokenField(c)}
      <button class="primary">${words[c.get('visitor').language].setUp}</button>
    </form>`;
}

function passkeyRow(c: PageContext, passkeys: readonly Passkey[]): Html {
  const t = words[c.get('visitor').language];
  return html`
    <div class="row spread factor">
      <p>
        <strong>${t.passkeys}</strong>
        <br>
        <span class="soft small">${t.passkeysHint}</span>
      </p>
      <a class="button" href="${PASSKEYS_PATH}">${t.addPasskey}</a>
    </div>
    ${passkeys.length > 0 && html`<ul class="plain">${passkeys.map((passkey) => passkeyItem(c, passkey))}</ul>`}`;
}

function passkeyItem(c: PageContext, { id, name, createdAt, lastUsedAt }: Passkey): Html {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  return html`
    <li>
      <a href="${PASSKEYS_PATH}/${id}">${name}</a>
      <br>
      <span class="soft small">
        ${t.since} ${dayElement(createdAt, visitor)}.
        ${lastUsedAt === undefined ? t.neverUsed : html`${t.lastUsed} ${dayElement(lastUsedAt, visitor)}.`}
      </span>
    </li>`;
}

function recoveryRow(c: PageContext, left: number): Html {
  const t = words[c.get('visitor').language];
  return html`
    <div class="row spread factor">
      <p>
        <strong>${t.codes}</strong>
        <br>
        <span class="soft small">${t.left(left)} ${left <= FEW_CODES && t.few} ${t.renewHint}</span>
      </p>
      <form method="post" action="${RECOVERY_PATH}">
        ${formTokenField(c)}
        <button>${t.renew}</button>
      </form>
    </div>`;
}

const words = bilingual(
  {
    title: 'Two-step verification',
    on: 'On: signing in takes a second step after the password, so a stolen password is not enough.',
    off: 'Off: whoever knows your password can sign in. A second step protects your account from a stolen password.',
    reset: 'An operator was told that you lost your second factor. It will be removed on',
    stop: '.',
    resetHint: 'If you didn’t ask for this, keep it and change your password.',
    keep: 'Keep second factor',
    app: 'Authenticator app',
    none: 'Not set up',
    since: 'Added on',
    passkeys: 'Passkeys',
    passkeysHint: 'Sign in with your fingerprint, your face or the PIN of your device.',
    addPasskey: 'Add passkey',
    lastUsed: 'Last used on',
    neverUsed: 'Not used yet.',
    setUp: 'Set up app',
    remove: 'Remove app',
    codes: 'Recovery codes',
    left: (count: number) => `${count} of 10 left.`,
    few: 'Create new ones soon.',
    renewHint: 'New codes replace the old ones.',
    renew: 'Create new codes',
  },
  {
    title: '两步验证',
    on: '已启用：输入密码后还需第二步验证，仅凭被盗的密码无法登录。',
    off: '未启用：知道密码的人就能登录。启用后，密码被盗时账号仍受保护。',
    reset: '管理员得知您丢失了第二重验证。它将被移除，时间：',
    stop: '。',
    resetHint: '如果这不是您的请求，请保留它，并更改密码。',
    keep: '保留第二重验证',
    app: '验证器应用',
    none: '未设置',
    since: '添加于',
    passkeys: '通行密钥',
    passkeysHint: '用指纹、面容或设备 PIN 登录。',
    addPasskey: '添加通行密钥',
    lastUsed: '上次使用于',
    neverUsed: '尚未使用。',
    setUp: '设置应用',
    remove: '移除应用',
    codes: '恢复代码',
    left: (count) => `剩余 ${count} 个（共 10 个）。`,
    few: '请尽快生成新的代码。',
    renewHint: '新代码会替换旧代码。',
    renew: '生成新代码',
  },
);
