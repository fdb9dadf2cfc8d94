// The words of the consent page.

import { bilingual } from '../pages/language.ts';

export const consentWords = bilingual(
  {
    title: (client: string) => `Let ${client} read from your account?`,
    signInTitle: (client: string) => `Sign in to ${client} with your account?`,
    by: 'by',
    byOperators: 'added by this community’s operators',
    registered: (age: string) => `registered ${age}`,
    members: (count: number) =>
      count === 0 ? 'no members use it yet' : count === 1 ? '1 member uses it' : `${count} members use it`,
    sentTo: 'You will be sent to',
    onDevice: 'An application installed on your device',
    inLetters: (host: string) => `Written in its own alphabet, this address is ${host}. Check it carefully.`,
    as: 'Signed in as',
    otherAccount: 'Switch account',
    asks: 'What it asks for',
    asksAlso: 'What else it asks for',
    held: 'You already allow',
    preview: 'See exactly what it would receive',
    posts: (total: number) =>
      total === 0
        ? 'You haven’t published anything yet.'
        : total === 1
          ? 'Your only post:'
          : `The first of your ${total} posts:`,
    can: 'It can',
    canRead: 'read the items above that you allow',
    canRecognise: 'recognise you when you come back',
    untilRemoved: 'keep this access until you remove it in',
    connectedApps: 'Connected applications',
    renews: 'renew its access every hour, even while you’re away, for up to a year',
    cannot: 'It cannot',
    cannotList: [
      'see your email, account status, devices or wallet',
      'see your drafts or private messages, or other people’s unpublished content',
      'post or change anything',
    ],
    allow: 'Allow',
    deny: 'Deny',
    noPassword: (client: string) =>
      `${client} never sees your password. If you deny, you return to it and nothing is shared.`,
  },
  {
    title: (client: string) => `允许 ${client} 读取您的账号信息？`,
    signInTitle: (client: string) => `用您的账号登录 ${client}？`,
    by: '开发者',
    byOperators: '由本社区管理员添加',
    registered: (age: string) => `${age}注册`,
    members: (count: number) => (count === 0 ? '还没有成员使用' : `${count} 位成员在使用`),
    sentTo: '将跳转至',
    onDevice: '安装在您设备上的应用',
    inLetters: (host: string) => `实际显示为 ${host}，请仔细核对`,
    as: '当前账号：',
    otherAccount: '切换账号',
    asks: '它请求读取',
    asksAlso: '它还请求读取',
    held: '您已允许',
    preview: '查看它将收到的确切内容',
    posts: (total: number) => (total === 0 ? '您还没有发布文章。' : `共 ${total} 篇，第一篇：`),
    can: '它可以',
    canRead: '读取上面列出并经您允许的内容',
    canRecognise: '在您再次使用时认出您',
    untilRemoved: '一直保有访问权限，您可随时移除：',
    connectedApps: '已连接的应用',
    renews: '在您离开期间自动续期：每次一小时，最长一年',
    cannot: '它不可以',
    cannotList: [
      '查看您的邮箱、账号状态、设备或钱包',
      '查看草稿、私信或他人未发布的内容',
      '发布或更改任何内容',
    ],
    allow: '允许',
    deny: '拒绝',
    noPassword: (client: string) => `${client} 永远看不到您的密码。拒绝后将返回该应用，不会共享任何内容。`,
  },
);

export type ConsentWords = (typeof consentWords)['en'];
