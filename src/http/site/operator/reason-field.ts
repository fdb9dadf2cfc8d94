// The field for the reason of a removal or a suspension, which the member is told.

import { html } from 'hono/html';
import { MOST_REASON_CHARACTERS } from '../../../community/moderation.ts';
import { problemSummary, textField } from '../../pages/fields.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';

/** Make the field. `longReason` is the text that was refused because it is too long. */
export function reasonField(language: Language, longReason?: string): Html {
  const t = words[language];
  const problem = longReason === undefined ? undefined : t.tooLong;
  return html`
    ${problemSummary({ reason: problem }, language)}
    <div class="short">
      ${textField({
        name: 'reason',
        label: t.label,
        hint: t.hint,
        problem,
        value: longReason ?? '',
        required: false,
      })}
    </div>`;
}

const words = bilingual(
  {
    label: 'Reason (optional)',
    hint: `The member is shown it, and gets it by email. Up to ${MOST_REASON_CHARACTERS} characters.`,
    tooLong: `The reason can have at most ${MOST_REASON_CHARACTERS} characters. Shorten it.`,
  },
  {
    label: '原因（可选）',
    hint: `会显示给该成员，并通过邮件告知。最多 ${MOST_REASON_CHARACTERS} 个字符。`,
    tooLong: `原因最多 ${MOST_REASON_CHARACTERS} 个字符，请缩短。`,
  },
);
