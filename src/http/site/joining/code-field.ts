// The field for a code of the member's app, or for a recovery code.

import { html } from 'hono/html';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';

/** Make the field. Phones show digits only for the code of an app, which recovery codes are not made of. */
export function codeField(
  language: Language,
  { isRecovery, isProblem }: { isRecovery: boolean; isProblem: boolean },
): Html {
  const t = words[language];
  const [label, hint] = isRecovery ? [t.recovery, t.recoveryHint] : [t.code, t.codeHint];
  return html`
    <div class="field">
      <label for="code">${label}</label>
      <span class="hint soft small" id="code-hint">${hint}</span>
      <input
        type="text" id="code" name="code" required autofocus spellcheck="false" autocapitalize="none"
        ${isRecovery ? html`autocomplete="off"` : html`autocomplete="one-time-code" inputmode="numeric"`}
        aria-describedby="${isProblem ? 'problem ' : ''}code-hint">
    </div>`;
}

const words = bilingual(
  {
    code: 'Code',
    codeHint: 'The six digits that your authenticator app shows.',
    recovery: 'Recovery code',
    recoveryHint: 'One of the ten codes that you saved. Each works once.',
  },
  {
    code: '验证码',
    codeHint: '验证器应用显示的六位数字。',
    recovery: '恢复代码',
    recoveryHint: '您保存的十个代码之一，每个只能使用一次。',
  },
);
