// What reports say is wrong, in words: members choose them, operators read them.

import type { ReportReason } from '../../../community/report.ts';
import { bilingual } from '../../pages/language.ts';

export const REASON_WORDS = bilingual<Record<ReportReason, string>>(
  {
    spam: 'Advertising or spam',
    abuse: 'Insults, threats or harassment',
    illegal: 'Against the law',
    other: 'Something else',
  },
  { spam: '广告或垃圾信息', abuse: '辱骂、威胁或骚扰', illegal: '违法内容', other: '其他' },
);
