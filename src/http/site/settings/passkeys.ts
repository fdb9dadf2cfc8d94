// A member's passkeys: adding one, its name, and removing it.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import {
  passkeyName,
  type RegistrationProblem,
  registerPasskey,
  removePasskey,
  renamePasskey,
} from '../../../identity/passkey.ts';
import type { Passkey } from '../../../identity/passkey-store.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { dayElement } from '../../pages/moments.ts';
import { idIn } from '../../pages/numbers.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { consequenceList } from '../../pages/question.ts';
import { type PageContext, sessionKeyOf } from '../../pages/visitor.ts';
import { PASSKEY_SCRIPT } from '../../static-files.ts';
import { rememberMember } from '../joining/known-browser.ts';
import { challengeUse, createPasskeyButton, passkeyAnswer, siteOfPasskeys } from '../passkey-button.ts';
import type { SiteParts } from '../site-parts.ts';
import { PASSKEYS_PATH } from './factor-cards.ts';
import { recoveryCodesPage } from './factors.ts';
import { settingsPage } from './page.ts';

const SECURITY = '/settings/security';

/** Show the form for a new passkey, also after it was refused. */
export async function newPasskeyPage(
  site: SiteParts,
  c: PageContext,
  user: User,
  refused?: { problem: RegistrationProblem | 'name'; name: string },
): Promise<Response> {
  if (siteOfPasskeys(c) === undefined) return notFoundPage(c);
  const { language } = c.get('visitor');
  const t = words[language];
  const passkeys = await site.identity.reads.passkeysOf(user.id);
  const problem = refused && t.problems[refused.problem];
  const field = inputField({
    name: 'name',
    label: t.name,
    hint: t.nameHint,
    problem: refused?.problem === 'name' ? problem : undefined,
    value: refused?.name ?? t.defaultName(passkeys.length + 1),
    required: true,
  });
  const button = await createPasskeyButton(site, c, user, passkeys, { text: t.create, isPrimary: true });
  return settingsPage(
    c,
    SECURITY,
    { title: t.title, status: problem === undefined ? 200 : 400, script: PASSKEY_SCRIPT },
    html`
      <p class="eyebrow"><a href="${SECURITY}">${t.security}</a></p>
      <h1>${t.title}</h1>
      <section class="card">
        <p>${t.what}</p>
        <form method="post" action="${PASSKEYS_PATH}">
          ${formTokenField(c)}
          ${problemSummary({ name: problem }, language)}
          ${field}
          <div class="actions">
            <a class="button" href="${SECURITY}">${t.cancel}</a>
            ${button}
          </div>
        </form>
        <noscript><p class="notice">${t.needsScript}</p></noscript>
      </section>`,
  );
}

/** Register the device that answered. */
export async function addPasskey(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const passkeys = siteOfPasskeys(c);
  if (passkeys === undefined) return notFoundPage(c);
  const name = passkeyName(form.text('name'));
  if (name === undefined) return newPasskeyPage(site, c, user, { problem: 'name', name: form.text('name') });
  const result = await registerPasskey(
    byMember(user, site.clock, site.clientAddress(c)),
    site.identity,
    passkeys,
    await challengeUse(site, c, 'registration'),
    { answer: passkeyAnswer(form), name, sessionKey: sessionKeyOf(c) },
  );
  if ('problem' in result) return newPasskeyPage(site, c, user, { ...result, name });
  await rememberMember(site, c, { userId: user.id, hasFactor: true });
  if (result.recoveryCodes.length > 0) return recoveryCodesPage(c, result.recoveryCodes, true);
  return c.redirect(`${SECURITY}?done=passkey`, 303);
}

/** Show a passkey, with the forms that rename and remove it. */
export async function passkeyPage(
  site: SiteParts,
  c: PageContext,
  user: User,
  typedName?: string,
): Promise<Response> {
  const passkey = await passkeyIn(site, c, user);
  if (passkey === undefined) return notFoundPage(c);
  const visitor = c.get('visitor');
  const { language } = visitor;
  const t = words[language];
  const name = typedName === undefined ? undefined : t.problems.name;
  const path = `${PASSKEYS_PATH}/${passkey.id}`;
  const field = inputField({
    name: 'name',
    label: t.name,
    problem: name,
    value: typedName ?? passkey.name,
    required: true,
  });
  const { lastUsedAt } = passkey;
  return settingsPage(
    c,
    SECURITY,
    { title: passkey.name, status: name === undefined ? 200 : 400 },
    html`
      <p class="eyebrow"><a href="${SECURITY}">${t.security}</a></p>
      <h1>${passkey.name}</h1>
      <section class="card">
        <p class="soft">
          ${t.created} ${dayElement(passkey.createdAt, visitor)}.
          ${lastUsedAt === undefined ? t.neverUsed : html`${t.lastUsed} ${dayElement(lastUsedAt, visitor)}.`}
        </p>
        <form method="post" action="${path}">
          ${formTokenField(c)}
          ${problemSummary({ name }, language)}
          ${field}
          <div class="actions"><button class="primary" name="do" value="rename">${t.rename}</button></div>
        </form>
      </section>
      ${removalCard(c, path)}`,
  );
}

function removalCard(c: PageContext, path: string): Html {
  const t = words[c.get('visitor').language];
  return html`
    <section class="card">
      <h2>${t.remove}</h2>
      ${consequenceList(t.consequences)}
      <form method="post" action="${path}">
        ${formTokenField(c)}
        <div class="actions"><button class="danger" name="do" value="remove">${t.remove}</button></div>
      </form>
    </section>`;
}

/** Rename or remove a passkey. */
export async function changePasskey(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const by = byMember(user, site.clock, site.clientAddress(c));
  if (form.text('do') === 'remove') {
    const isRemoved = await removePasskey(by, site.identity, idIn(c), sessionKeyOf(c));
    return isRemoved ? c.redirect(`${SECURITY}?done=passkey_removed`, 303) : notFoundPage(c);
  }
  const name = passkeyName(form.text('name'));
  if (name === undefined) return passkeyPage(site, c, user, form.text('name'));
  const isRenamed = await renamePasskey(by, site.identity, idIn(c), name);
  return isRenamed ? c.redirect(`${SECURITY}?done=passkey_renamed`, 303) : notFoundPage(c);
}

async function passkeyIn(site: SiteParts, c: PageContext, user: User): Promise<Passkey | undefined> {
  const passkeys = await site.identity.reads.passkeysOf(user.id);
  return passkeys.find(({ id }) => id === idIn(c));
}

const words = bilingual(
  {
    security: 'Security',
    title: 'Add a passkey',
    what: 'A passkey signs you in with your fingerprint, your face or the PIN of your device, without a password. It can’t be guessed, and it works on this site only. Your account then asks for a second step after the password.',
    name: 'Name of the passkey',
    nameHint: 'So that you recognise it, such as “Laptop” or “Phone”.',
    defaultName: (number: number) => `Passkey ${number}`,
    create: 'Create passkey',
    cancel: 'Cancel',
    needsScript: 'Creating a passkey needs JavaScript and a browser that supports passkeys.',
    problems: {
      name: 'Enter a name of 1 to 60 characters.',
      refused: 'The passkey was not accepted, or the page was open for more than five minutes. Try again.',
      registered_already: 'This passkey is registered already, or your account has 20 passkeys.',
    },
    created: 'Created on',
    lastUsed: 'Last used on',
    neverUsed: 'Not used yet.',
    rename: 'Rename passkey',
    remove: 'Remove passkey',
    consequences: [
      'The passkey no longer signs you in. Delete it from your device too.',
      'If it is your only second factor, your password alone signs you in, and your recovery codes are deleted.',
      'All other browsers are signed out. So are apps that run on a device or in a browser, unless you signed in to them from here.',
    ],
  },
  {
    security: '安全',
    title: '添加通行密钥',
    what: '通行密钥让您用指纹、面容或设备 PIN 登录，无需密码。它无法被猜中，并且只对本站有效。添加后，用密码登录还需第二步验证。',
    name: '通行密钥名称',
    nameHint: '便于辨认，例如“笔记本电脑”或“手机”。',
    defaultName: (number) => `通行密钥 ${number}`,
    create: '创建通行密钥',
    cancel: '取消',
    needsScript: '创建通行密钥需要 JavaScript，以及支持通行密钥的浏览器。',
    problems: {
      name: '请填写 1 到 60 个字符的名称。',
      refused: '通行密钥未被接受，或者页面打开已超过五分钟。请重试。',
      registered_already: '此通行密钥已经注册，或者您的账号已有 20 个通行密钥。',
    },
    created: '创建于',
    lastUsed: '上次使用于',
    neverUsed: '尚未使用。',
    rename: '重命名',
    remove: '移除通行密钥',
    consequences: [
      '此通行密钥不能再用于登录。请同时从您的设备中删除。',
      '如果它是您唯一的第二重验证，之后仅凭密码即可登录，恢复代码也会被删除。',
      '其他所有浏览器都会退出登录。在设备或浏览器中运行的应用也会退出登录，从此浏览器登录的除外。',
    ],
  },
);
