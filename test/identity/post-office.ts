// The mails that members receive, sent when a test says so.

import { type MailFacts, sendDueMails } from '../../src/identity/mail.ts';
import type { Accounts } from './accounts.ts';

/** What happens to a mail on its way; nothing: it arrives. */
export type Fate = Error & { permanent?: boolean };

export interface PostOffice {
  /** Mails that arrived, in order. */
  arrived: MailFacts[];
  /** What was told of those that did not. */
  failures: { purpose: string; attempts: number; isLastAttempt: boolean }[];
  fate: Fate | undefined;
  /** Sends all that is due. Returns how many arrived by it. */
  send(): Promise<number>;
  /** The token of the last link that arrived. */
  lastToken(): string;
}

export function postOffice({ identity }: Pick<Accounts, 'identity'>): PostOffice {
  const office: PostOffice = {
    arrived: [],
    failures: [],
    fate: undefined,
    async send() {
      const before = office.arrived.length;
      const deliver = async (facts: MailFacts) => {
        if (office.fate !== undefined) throw office.fate;
        office.arrived.push(facts);
      };
      const tell = ({ purpose, attempts, isLastAttempt }: PostOffice['failures'][number]) =>
        office.failures.push({ purpose, attempts, isLastAttempt });
      while ((await sendDueMails(identity, deliver, tell)) > 0);
      return office.arrived.length - before;
    },
    lastToken() {
      return office.arrived.findLast(({ token }) => token !== undefined)?.token ?? '';
    },
  };
  return office;
}
