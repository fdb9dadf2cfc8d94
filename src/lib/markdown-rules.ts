// The parser's own rules, for rules that bound or extend them.

import type { Ruler } from 'markdown-it';

/** Find a rule of the parser by its name. */
export function ruleNamed<A extends unknown[], R>(ruler: Ruler<A, R>, name: string): (...args: A) => R {
  const rule = ruler.getRules('').find((each) => each.name === name);
  if (rule === undefined) throw new Error(`markdown-it has no rule named "${name}".`);
  return rule;
}
