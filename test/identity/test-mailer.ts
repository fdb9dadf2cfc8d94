// Sends the mails to members when a test says so, and keeps those that arrived.

import { type MailFacts, sendDueMails } from '../../src/identity/mail.ts';
import type { Accounts } from './accounts.ts';

/** The error with which a mail fails, if any. */
export type DeliveryError = Error & { permanent?: boolean };

export interface TestMailer {
  /** Mails that arrived, in order. */
  arrived: MailFacts[];
  /** The log entries about mails that did not arrive. */
  failures: { purpose: string; attempts: number; isLastAttempt: boolean }[];
  deliveryError: DeliveryError | undefined;
  /** Send all mails that are due. Returns how many arrived. */
  send(): Promise<number>;
  /** The token of the last link that arrived. */
  lastToken(): string;
}

export function testMailer({ identity }: Pick<Accounts, 'identity'>): TestMailer {
  const mailer: TestMailer = {
    arrived: [],
    failures: [],
    deliveryError: undefined,
    async send() {
      const before = mailer.arrived.length;
      const deliver = async (facts: MailFacts) => {
        if (mailer.deliveryError !== undefined) throw mailer.deliveryError;
        mailer.arrived.push(facts);
      };
      const tell = ({ purpose, attempts, isLastAttempt }: TestMailer['failures'][number]) =>
        mailer.failures.push({ purpose, attempts, isLastAttempt });
      while ((await sendDueMails(identity, async () => undefined, deliver, tell)) > 0);
      return mailer.arrived.length - before;
    },
    lastToken() {
      return mailer.arrived.findLast(({ token }) => token !== undefined)?.token ?? '';
    },
  };
  return mailer;
}
