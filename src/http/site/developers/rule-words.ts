// What each broken rule means to an application's developer, and how to fix it.

import type { RequestRule } from '../../../oauth/request-rules.ts';
import type { Language } from '../../pages/language.ts';
import { apiRuleWords } from './api-rule-words.ts';
import { authorizationRuleWords } from './authorization-rule-words.ts';
import { tokenRuleWords } from './token-rule-words.ts';

export interface RuleWords {
  cause: string;
  fix: string;
}

/** Return the words for a rule. Undefined for one of a newer version. */
export function wordsOfRule(rule: RequestRule, language: Language): RuleWords {
  return RULE_WORDS[language][rule];
}

const RULE_WORDS: Record<Language, Record<RequestRule, RuleWords>> = {
  en: { ...authorizationRuleWords.en, ...tokenRuleWords.en, ...apiRuleWords.en },
  zh: { ...authorizationRuleWords.zh, ...tokenRuleWords.zh, ...apiRuleWords.zh },
};
