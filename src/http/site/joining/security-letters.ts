// The texts of mails about the security of an account. Each has a link "This wasn't me".

import type { SecurityFacts } from '../../../identity/mail-store.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import type { CurrentSite } from '../../pages/visitor.ts';
import { momentOf, unlinked } from './letter-words.ts';

interface Text {
  subject: string;
  paragraphs: string[];
}

interface Facts extends Partial<SecurityFacts> {
  link: string;
  /** The end of the link. */
  until: string;
}

/** The letters by the purpose of the mail. Each is written only if it is called. */
export function securityLetters({ name: site }: CurrentSite, locale: Locale, username: string, facts: Facts) {
  const t = words[locale.language];
  const { at, address, link, until } = facts;
  const program = unlinked(facts.program || t.unknownBrowser);
  const application = unlinked(facts.application ?? t.unknownApplication);
  const when = at === undefined ? '' : momentOf(at, locale);
  const factor = t.factors[facts.factor as keyof typeof t.factors] ?? t.factors.passkey;
  const from = address ?? '–';
  const account = t.account(site, username);
  const text = (subject: string, happened: string[], otherwise: string): Text => ({
    subject,
    paragraphs: [...happened, otherwise, link, t.valid(until)],
  });
  return {
    new_browser: () =>
      text(
        t.browser.subject(site),
        [account, t.browser.text(program, from, when), t.wasYou],
        t.browser.otherwise,
      ),
    application_allowed: () =>
      text(
        t.allowed.subject(site),
        [account, t.allowed.text(application, from, when), t.wasYou],
        t.application,
      ),
    application_widened: () =>
      text(
        t.widened.subject(site),
        [account, t.widened.text(application, from, when), t.wasYou],
        t.application,
      ),
    replay_detected: () =>
      text(
        t.replay.subject(site),
        [account, t.replay.text(application, when), t.replay.done],
        t.replay.otherwise,
      ),
    token_created: () => text(t.token.subject(site), [t.token.text(site, username)], t.token.otherwise),
    password_changed: () =>
      text(t.password.subject(site), [t.password.text(site, username)], t.password.otherwise),
    factor_added: () =>
      text(t.added.subject(site), [account, t.added.text(factor, from, when), t.wasYou], t.added.otherwise),
    factor_removed: () =>
      text(
        t.withdrawn.subject(site),
        [account, t.withdrawn.text(factor, from, when), t.wasYou],
        t.withdrawn.otherwise,
      ),
    codes_guessed: () =>
      text(
        t.guessed.subject(site),
        [account, t.guessed.text(from, when), t.guessed.wasYou],
        t.guessed.otherwise,
      ),
  };
}

const words = bilingual(
  {
    account: (site: string, username: string) => `This is about your account ${username} on ${site}.`,
    unknownBrowser: 'an unknown browser',
    unknownApplication: 'an application that no longer exists',
    wasYou: 'If this was you, you don’t have to do anything.',
    valid: (until: string) =>
      `The page asks before it changes anything. The link is valid until ${until} and works once. You don’t have to sign in.`,
    application:
      'If this wasn’t you, open this page. It removes the application’s access, signs out every browser, and lets you choose a new password:',
    browser: {
      subject: (site: string) => `A new browser signed in to your account on ${site}`,
      text: (program: string, from: string, when: string) =>
        `Someone signed in with a browser that the account doesn’t know: ${program}, from the network address ${from}, on ${when}.`,
      otherwise:
        'If this wasn’t you, someone else can sign in to your account. Open this page. It signs out every browser and lets you choose a new password:',
    },
    allowed: {
      subject: (site: string) => `An application was connected to your account on ${site}`,
      text: (application: string, from: string, when: string) =>
        `The application “${application}” was allowed to read from your account, from the network address ${from}, on ${when}. What it can read is listed under Settings, Connected applications.`,
    },
    widened: {
      subject: (site: string) => `An application can read more of your account on ${site}`,
      text: (application: string, from: string, when: string) =>
        `The connected application “${application}” was allowed to read more than before, from the network address ${from}, on ${when}. What it can read is listed under Settings, Connected applications.`,
    },
    replay: {
      subject: (site: string) => `An application’s access to your account on ${site} may have been stolen`,
      text: (application: string, when: string) =>
        `Something that opens your account to the application “${application}” was used a second time, on ${when}. This happens if someone copied it, or if the application has a fault.`,
      done: 'We have already ended that sign-in. The application may ask you to sign in again.',
      otherwise:
        'If you don’t use this application, or think that someone else has access, open this page. It removes the application’s access, signs out every browser, and lets you choose a new password:',
    },
    token: {
      subject: (site: string) => `New API token for your account on ${site}`,
      text: (site: string, username: string) =>
        `An API token was created for your account ${username} on ${site}. Programs that have it can read what it allows.`,
      otherwise:
        'If you didn’t create it, open this page. It revokes the token, signs out every browser, and lets you choose a new password:',
    },
    factors: {
      app: 'the code of an authenticator app',
      passkey: 'a passkey',
      recovery_codes: 'new recovery codes, which replace the old ones',
      all: 'all second factors',
    },
    added: {
      subject: (site: string) => `A second factor was added to your account on ${site}`,
      text: (factor: string, from: string, when: string) =>
        `This was added as a way to prove that you are you: ${factor}, from the network address ${from}, on ${when}.`,
      otherwise:
        'If this wasn’t you, open this page. It removes what was added, signs out every browser, and lets you choose a new password:',
    },
    withdrawn: {
      subject: (site: string) => `A second factor was removed from your account on ${site}`,
      text: (factor: string, from: string, when: string) =>
        `This no longer counts as a second factor: ${factor}, removed from the network address ${from}, on ${when}.`,
      otherwise:
        'If this wasn’t you, open this page. It signs out every browser and lets you choose a new password. Then set up your second factor again:',
    },
    guessed: {
      subject: (site: string) => `Someone with your password for ${site} entered wrong codes`,
      text: (from: string, when: string) =>
        `After your password, ten wrong codes were entered, the last from the network address ${from}, on ${when}. Your second factor has kept them out, but they know your password.`,
      wasYou: 'If this was you, check that the clock of your device is set automatically.',
      otherwise:
        'If this wasn’t you, open this page. It makes the password useless, signs out every browser, and lets you choose another one:',
    },
    password: {
      subject: (site: string) => `Your password for ${site} was changed`,
      text: (site: string, username: string) =>
        `The password of your account ${username} on ${site} was changed, and all other browsers were signed out.`,
      otherwise:
        'If you didn’t change it, open this page. It makes that password useless, signs out every browser, and lets you choose another one:',
    },
  },
  {
    account: (site: string, username: string) => `此邮件关于您在 ${site} 的账号 ${username}。`,
    unknownBrowser: '未知浏览器',
    unknownApplication: '一个已不存在的应用',
    wasYou: '如果是您本人操作，则无需处理。',
    valid: (until: string) => `该页面会先询问，再作更改。链接在 ${until} 之前有效，只能使用一次，无需登录。`,
    application:
      '如果不是您本人操作，请打开此页面。它会移除该应用的访问权限、退出所有浏览器，并让您设置新密码：',
    browser: {
      subject: (site: string) => `有新的浏览器登录了您在 ${site} 的账号`,
      text: (program: string, from: string, when: string) =>
        `有人用一个此账号未曾用过的浏览器登录：${program}，网络地址 ${from}，时间 ${when}。`,
      otherwise:
        '如果不是您本人操作，则有他人可以登录您的账号。请打开此页面，它会退出所有浏览器，并让您设置新密码：',
    },
    allowed: {
      subject: (site: string) => `您在 ${site} 的账号连接了一个应用`,
      text: (application: string, from: string, when: string) =>
        `应用“${application}”获准读取您的账号，网络地址 ${from}，时间 ${when}。它可读取的内容见“设置”中的“已连接的应用”。`,
    },
    widened: {
      subject: (site: string) => `一个应用可以读取您在 ${site} 的更多内容`,
      text: (application: string, from: string, when: string) =>
        `已连接的应用“${application}”获准读取比以前更多的内容，网络地址 ${from}，时间 ${when}。它可读取的内容见“设置”中的“已连接的应用”。`,
    },
    replay: {
      subject: (site: string) => `某个应用对您在 ${site} 的账号的访问可能已被盗用`,
      text: (application: string, when: string) =>
        `应用“${application}”用来访问您账号的凭据于 ${when} 被第二次使用。可能是有人复制了它，也可能是该应用有故障。`,
      done: '我们已经结束了那次登录，该应用可能会要求您重新登录。',
      otherwise:
        '如果您不使用此应用，或认为有他人可以访问您的账号，请打开此页面。它会移除该应用的访问权限、退出所有浏览器，并让您设置新密码：',
    },
    token: {
      subject: (site: string) => `您在 ${site} 的账号新建了 API 令牌`,
      text: (site: string, username: string) =>
        `您在 ${site} 的账号 ${username} 新建了一个 API 令牌。持有此令牌的程序可以读取它允许的内容。`,
      otherwise: '如果不是您本人操作，请打开此页面。它会撤销该令牌、退出所有浏览器，并让您设置新密码：',
    },
    factors: {
      app: '验证器应用的验证码',
      passkey: '一个通行密钥',
      recovery_codes: '新的恢复代码（旧代码已失效）',
      all: '全部第二重验证',
    },
    added: {
      subject: (site: string) => `您在 ${site} 的账号新增了第二重验证`,
      text: (factor: string, from: string, when: string) =>
        `新增的验证方式：${factor}，网络地址 ${from}，时间 ${when}。`,
      otherwise:
        '如果不是您本人操作，请打开此页面。它会移除新增的验证方式、退出所有浏览器，并让您设置新密码：',
    },
    withdrawn: {
      subject: (site: string) => `您在 ${site} 的账号移除了第二重验证`,
      text: (factor: string, from: string, when: string) =>
        `移除的验证方式：${factor}，网络地址 ${from}，时间 ${when}。`,
      otherwise:
        '如果不是您本人操作，请打开此页面。它会退出所有浏览器，并让您设置新密码。之后请重新设置第二重验证：',
    },
    guessed: {
      subject: (site: string) => `有人用您在 ${site} 的密码尝试登录，并输入了错误的验证码`,
      text: (from: string, when: string) =>
        `有人输入了您的密码，之后十次输入错误的验证码，最后一次来自网络地址 ${from}，时间 ${when}。第二重验证阻止了登录，但对方知道您的密码。`,
      wasYou: '如果是您本人操作，请确认设备的时间已设为自动。',
      otherwise: '如果不是您本人操作，请打开此页面。它会使该密码失效、退出所有浏览器，并让您设置新密码：',
    },
    password: {
      subject: (site: string) => `您在 ${site} 的密码已更改`,
      text: (site: string, username: string) =>
        `您在 ${site} 的账号 ${username} 的密码已更改，其他浏览器均已退出登录。`,
      otherwise:
        '如果不是您本人操作，请打开此页面。它会使那个密码失效、退出所有浏览器，并让您设置另一个密码：',
    },
  },
);
