// The titles of the pages that operators write, for the pages, the footer and the operators' list.

import type { WrittenPage } from '../../site/text-names.ts';
import { bilingual } from './language.ts';

export const WRITTEN_TITLES = bilingual<Record<WrittenPage, string>>(
  { rules: 'Rules', about: 'About', privacy: 'Privacy', terms: 'Terms' },
  { rules: '社区规则', about: '关于我们', privacy: '隐私政策', terms: '服务条款' },
);
