// What each scope allows an application to read, and what not, in the words of spec §2.6.

import type { Scope } from '../../oauth/scope.ts';
import { bilingual } from './language.ts';

export interface ScopeWords {
  name: string;
  reads: string;
  /** Private data that the scope does not include. */
  doesNotRead: string;
}

export const scopeWords = bilingual<Record<Scope, ScopeWords>>(
  {
    openid: {
      name: 'Who you are here',
      reads: 'Your member number, so that it recognises you when you come back.',
      doesNotRead: 'Not your name or anything else about you.',
    },
    'profile:read': {
      name: 'Your public profile',
      reads: 'Nickname, avatar, bio, membership status, level and experience points.',
      doesNotRead: 'Not your email, account status or devices.',
    },
    'posts:read': {
      name: 'The posts you have published',
      reads: 'The list of them: title, excerpt, link and interaction counts.',
      doesNotRead: 'Not your drafts, nor unpublished content of other people.',
    },
  },
  {
    openid: {
      name: '您在本站的身份',
      reads: '您的成员编号，以便在您再次使用时认出您。',
      doesNotRead: '不含姓名和其他任何信息。',
    },
    'profile:read': {
      name: '您的公开资料',
      reads: '昵称、头像、简介、会员状态、等级和经验值。',
      doesNotRead: '不含邮箱、账号状态和设备。',
    },
    'posts:read': {
      name: '您已发布的文章',
      reads: '文章列表：标题、摘要、链接和互动数量。',
      doesNotRead: '不含草稿和他人未发布的内容。',
    },
  },
);
