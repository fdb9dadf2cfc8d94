// The reasons for a report, in words: members choose one, operators read it.

import type { ReportReason } from '../../../community/report.ts';
import type { ClientReportReason } from '../../../oauth/client-report.ts';
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

/** The words for each reason to report an application. */
export const CLIENT_REASON_WORDS = bilingual<Record<ClientReportReason, string>>(
  {
    imitation: 'It pretends to be another application, or this community',
    unexpected: 'I didn’t start this sign-in',
    misuse: 'It misuses what it reads, or asks for too much',
    other: 'Something else',
  },
  {
    imitation: '它冒充其他应用或本社区',
    unexpected: '这次登录不是我发起的',
    misuse: '它滥用读取的内容，或要求过多权限',
    other: '其他',
  },
);
