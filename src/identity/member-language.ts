// The language of a member's pages, for mails that other people cause.

import type { MemberDoer } from '../audit/doer.ts';
import type { Identity } from './identity.ts';

/** Remember the language in which the member reads the site. */
export function setLanguage(by: MemberDoer, { writes }: Identity, language: string): Promise<void> {
  return writes.setLanguage(by, language);
}
