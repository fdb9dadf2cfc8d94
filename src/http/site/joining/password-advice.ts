// Advice on a password that was just set, on the page that follows.

import { type Weakness, weaknessOf } from '../../../identity/password-advice.ts';
import type { PasswordOwner } from '../../../identity/password-rules.ts';
import { leaveFlash, takeFlash } from '../../pages/flash.ts';
import { bilingual } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';

/** Leave advice on a new password for the next page. */
export async function leavePasswordAdvice(
  { identity }: SiteParts,
  c: PageContext,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  const weakness = await weaknessOf(identity.passwordRules, password, owner);
  if (weakness !== undefined) leaveFlash(c, weakness);
}

/** Show the advice that was left for this page. */
export function passwordAdvice(c: PageContext): Html | '' {
  const t = words[c.get('visitor').language];
  const weakness = takeFlash(c);
  const reason = t.reasons[weakness as Weakness];
  return notice(reason && `${reason} ${t.advice}`);
}

const words = bilingual(
  {
    advice: 'You can keep it, but several unrelated words are safer and easy to remember.',
    reasons: {
      keyboard: 'Your new password is easy to guess: it follows neighbouring keys.',
      repeated: 'Your new password is easy to guess: it repeats the same characters.',
      sequence: 'Your new password is easy to guess: it contains a sequence such as abc or 123.',
      date: 'Your new password is easy to guess: it contains a date or a year.',
      names: 'Your new password is easy to guess: it is built on a name.',
      similar: 'Your new password is easy to guess: it resembles a common password.',
      guessable: 'Your new password is easy to guess.',
    } satisfies Record<Weakness, string>,
  },
  {
    advice: '您可以继续使用它，但由几个互不相关的词组成的密码更安全，也好记。',
    reasons: {
      keyboard: '新密码容易被猜到：它是键盘上相邻的按键。',
      repeated: '新密码容易被猜到：它重复使用相同的字符。',
      sequence: '新密码容易被猜到：它包含 abc、123 之类的连续字符。',
      date: '新密码容易被猜到：它包含日期或年份。',
      names: '新密码容易被猜到：它由名字变化而来。',
      similar: '新密码容易被猜到：它与常见密码相似。',
      guessable: '新密码容易被猜到。',
    },
  },
);
