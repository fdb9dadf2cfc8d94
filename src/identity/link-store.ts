// The links to a member's own pages elsewhere, as reads and writes of storage.

import type { MemberDoer } from '../audit/doer.ts';

export interface LinkReads {
  /** In the member's order. */
  linksOf(userId: number): Promise<string[]>;
}

export interface LinkWrites {
  /** Replaces the links. Does nothing if the account is not active. */
  setLinks(by: MemberDoer, links: readonly string[]): Promise<void>;
}
