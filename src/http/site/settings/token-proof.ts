// The password before an API token is created or can do more, and the limit on the forms that do so.

import type { MemberDoer } from '../../../audit/doer.ts';
import {
  isRecent,
  type ReauthenticationProblem,
  reauthenticateUnlessRecent,
} from '../../../identity/reauthentication.ts';
import { attempted, hourlyLimit, type TooFast } from '../../../lib/attempt.ts';
import { inputField } from '../../pages/fields.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

export const PROOF_FIELD = 'token_password';
// Each new token mails a notice.
const MOST_FORMS_AN_HOUR = 20;

/** Report whether the member has to enter the password. */
export function mustProve({ clock }: SiteParts, c: PageContext): boolean {
  return !isRecent(c.get('visitor').visit?.authenticatedAt ?? 0, clock());
}

/** Check the password, unless the member entered it recently. Undefined if it is right. */
export function prove(
  { identity }: SiteParts,
  c: PageContext,
  by: MemberDoer,
  password: string,
): Promise<ReauthenticationProblem | undefined> {
  const { authenticatedAt = 0 } = c.get('visitor').visit ?? {};
  return reauthenticateUnlessRecent(by, identity, authenticatedAt, password);
}

/** Count a form that makes a new token. Tells how long to wait if there were too many. */
export async function tooManyTokens(
  { identity }: SiteParts,
  by: MemberDoer,
): Promise<({ problem: 'too_fast' } & TooFast) | undefined> {
  const limit = hourlyLimit(by.at, MOST_FORMS_AN_HOUR, 'API token', by.userId);
  const tooFast = await attempted(identity, limit);
  return tooFast && { problem: 'too_fast', ...tooFast };
}

/** Make the field for the password. */
export function proofField(
  problem: string | undefined,
  language: Language,
  hint = words[language].hint,
): Html {
  const t = words[language];
  return inputField({
    name: PROOF_FIELD,
    type: 'password',
    label: t.password,
    hint,
    problem:
      problem === 'wrong_password' || problem === 'too_many_attempts' ? t.problems[problem] : undefined,
    autocomplete: 'current-password',
    required: hint === t.hint,
  });
}

export function proofProblems(language: Language): Record<ReauthenticationProblem['problem'], string> {
  return words[language].problems;
}

const words = bilingual(
  {
    password: 'Current password',
    hint: 'You signed in more than ten minutes ago, so we ask again before creating a token.',
    problems: {
      wrong_password: 'The current password is incorrect.',
      too_many_attempts: 'Too many attempts. Try again in 15 minutes.',
    },
  },
  {
    password: '当前密码',
    hint: '距您上次登录已超过十分钟，创建令牌前需要再次确认。',
    problems: {
      wrong_password: '当前密码不正确。',
      too_many_attempts: '尝试次数过多，请 15 分钟后再试。',
    },
  },
);
