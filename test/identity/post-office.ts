// The mails that members receive, sent when a test says so.

import { type MailFacts, sendDueMails } from '../../src/identity/mail.ts';
import type { Accounts } from './accounts.ts';

/** The error with which a mail fails, if any. */
export type Fate = Error & { permanent?: boolean };

export interface PostOffice {
  /** Mails that arrived, in order. */
  arrived: MailFacts[];
  /** The log entries about mails that did not arrive. */
  failures: { purpose: string; attempts: number; isLastAttempt: boolean }[];
  fate: Fate | undefined;
  /** Send all mails that are due. Returns how many arrived. */
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
