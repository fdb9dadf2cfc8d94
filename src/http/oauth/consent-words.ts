// The words of the consent page.

import { bilingual } from '../pages/language.ts';

export const consentWords = bilingual(
  {
    title: (client: string) => `Let ${client} read from your account?`,
    signInTitle: (client: string) => `Sign in to ${client} with your account?`,
    canRecognise: 'know you when you come back',
    by: 'by',
    byOperators: 'by this community’s operators',
    registered: (age: string) => `registered ${age}`,
    members: (count: number) =>
      count === 0 ? 'no member uses it yet' : count === 1 ? '1 member uses it' : `${count} members use it`,
    sentTo: 'You will be sent to',
    onDevice: 'An application installed on your device',
    inLetters: (host: string) => `which reads as ${host} in its own letters: look twice`,
    as: 'as',
    otherAccount: 'use another account',
    asks: 'What it asks for',
    asksAlso: 'What it asks for now',
    held: 'You already allow',
    preview: 'See exactly what it would receive',
    posts: (total: number) =>
      total === 0
        ? 'You have published nothing yet.'
        : total === 1
          ? 'Your one post:'
          : `The first of ${total} posts:`,
    can: 'It can',
    canRead: 'read what is listed above, as far as you leave it ticked',
    untilRemoved: 'do so until you remove it under',
    connectedApps: 'Connected applications',
    renews: 'go on while you are away: its access lasts an hour and renews itself, for a year at most',
    cannot: 'It cannot',
    cannotList: [
      'see your e-mail, account status, devices or wallet',
      'see drafts, private messages or what others have not published',
      'post or change anything',
    ],
    allow: 'Allow',
    deny: 'Deny',
    noPassword: (client: string) =>
      `${client} never sees your password. Denying sends you back without sharing anything.`,
  },
  {
    title: (client: string) => `允许 ${client} 读取您的账号信息？`,
    signInTitle: (client: string) => `用您的账号登录 ${client}？`,
    canRecognise: '在您再次使用时认出您',
    by: '开发者',
    byOperators: '由本社区管理员添加',
    registered: (age: string) => `${age}注册`,
    members: (count: number) => (count === 0 ? '还没有成员使用' : `${count} 位成员在使用`),
    sentTo: '您将被送往',
    onDevice: '安装在您设备上的应用',
    inLetters: (host: string) => `以其原文字书写为 ${host}，请仔细核对`,
    as: '以此身份：',
    otherAccount: '使用其他账号',
    asks: '它想要读取',
    asksAlso: '它现在还想要读取',
    held: '您已允许',
    preview: '查看它将收到的确切内容',
    posts: (total: number) => (total === 0 ? '您还没有发布文章。' : `共 ${total} 篇，第一篇：`),
    can: '它可以',
    canRead: '读取上面列出且保持勾选的内容',
    untilRemoved: '一直如此，直到您将其移除：',
    connectedApps: '已连接的应用',
    renews: '您不在时也可以：访问权限每次一小时，自动续期，最长一年',
    cannot: '它不可以',
    cannotList: [
      '查看您的邮箱、账号状态、设备或钱包',
      '查看草稿、私信或他人未发布的内容',
      '发布或更改任何内容',
    ],
    allow: '允许',
    deny: '拒绝',
    noPassword: (client: string) => `${client} 永远看不到您的密码。拒绝后您会被送回，不会共享任何内容。`,
  },
);

export type ConsentWords = (typeof consentWords)['en'];
