// What operators decided about an application, in words: for notifications and mails to its owner.

import type { AboutReview } from '../../audit/credential-notice.ts';
import { bilingual, type Language } from './language.ts';

/** Say what was decided. */
export function reviewSentence({ of, isApproved, name }: AboutReview, language: Language): string {
  return words[language][of][isApproved ? 'approved' : 'refused'](name);
}

const words = bilingual(
  {
    application: {
      approved: (name: string) => `The operators approved your application “${name}”. It works now`,
      refused: (name: string) =>
        `The operators did not approve your application “${name}”. You can change it and ask again`,
    },
    logo: {
      approved: (name: string) =>
        `The operators approved the logo of your application “${name}”. Members see it now`,
      refused: (name: string) => `The operators removed the logo of your application “${name}”`,
    },
  } satisfies Record<AboutReview['of'], unknown>,
  {
    application: {
      approved: (name) => `管理员已批准您的应用“${name}”，现在即可使用`,
      refused: (name) => `管理员未批准您的应用“${name}”。您可以修改后再次申请`,
    },
    logo: {
      approved: (name) => `管理员已批准您的应用“${name}”的徽标，成员现在可以看到它`,
      refused: (name) => `管理员移除了您的应用“${name}”的徽标`,
    },
  },
);
