// The reasons for a report, in words: members choose one, operators read it.

import type { ReportReason } from '../../../community/report.ts';
import { bilingual } from '../../pages/language.ts';

/** The words for each reason. */
export const REASON_WORDS = bilingual<Record<ReportReason, string>>(
  {
    spam: 'Advertising or spam',
    abuse: 'Insults, threats or harassment',
    illegal: 'Illegal content',
    other: 'Something else',
  },
  { spam: '广告或垃圾信息', abuse: '辱骂、威胁或骚扰', illegal: '违法内容', other: '其他' },
);
