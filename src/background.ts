// The work that a server does between requests: it sends mails and events, tells of API tokens that end, withdraws
// consents to applications that stay deactivated, stores what applications look like, brings requests into the access
// diaries, and renders texts that have no HTML yet.

import type { AuditLog } from './audit/audit-log.ts';
import { withRecord } from './audit/background-work.ts';
import type { Community } from './community/community.ts';
import { newsFor, queueNews } from './community/news.ts';
import { renewRenderings } from './community/rendering.ts';
import type { Config } from './config.ts';
import { currentSite } from './http/pages/visitor.ts';
import { letterOf } from './http/site/joining/letters.ts';
import type { Identity } from './identity/identity.ts';
import { type MailFacts, sendDueMails, type TellOfFailure } from './identity/mail.ts';
import type { WaitingMail } from './identity/mail-store.ts';
import { type Clock, MINUTE, SECOND } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import { folderMailer, type Mailer, smtpMailer } from './lib/mail.ts';
import type { FetchPublic } from './lib/public-fetcher.ts';
import { type Rounds, roundOf, startRounds } from './lib/rounds.ts';
import { withdrawAbandonedGrants } from './oauth/abandoned-grant.ts';
import type { AuthorizationServer } from './oauth/authorization-server.ts';
import { renewLooks } from './oauth/client-looks.ts';
import { openDelivery, type Send, tellOfEndedConsents } from './oauth/event-delivery.ts';
import { tellOfTokens } from './oauth/token-notices.ts';
import type { Site } from './site/site.ts';

interface BackgroundParts {
  audit: AuditLog;
  config: Config;
  log: Log;
  identity: Identity;
  oauth: AuthorizationServer;
  community: Community;
  site: Site;
}

type SendMails = () => Promise<number>;

/** Make the function that queues and sends some of the mails that are due. It returns 0 if none are left. */
export function mailSender(
  { config, identity, community, site, log }: BackgroundParts,
  mailer: Mailer,
): SendMails {
  const send = async (facts: MailFacts) => mailer(letterOf(await currentSite(site), facts));
  const newsOf = (mail: WaitingMail) => newsFor(community, mail);
  const tell = logMailFailure(log, config.mail);
  return async () => (await queueNews(community)) + (await sendDueMails(identity, newsOf, send, tell));
}

/** Prepare to send mails to the mail server, or into the outbox if there is none. */
export function openMailer({ smtpUrl, outbox, from }: Config['mail'], log: Log): Mailer {
  if (smtpUrl !== undefined) return smtpMailer(smtpUrl, from);
  return folderMailer(outbox, from, (file) => log.info({ file }, 'wrote a mail to the outbox'));
}

// Logs neither the address nor the content of the mail.
function logMailFailure(log: Log, { smtpUrl }: Config['mail']): TellOfFailure {
  const setting = smtpUrl === undefined ? '' : 'SMTP_URL: ';
  return ({ isLastAttempt, reason, ...facts }) =>
    log.warn(
      { ...facts, reason: setting + reason },
      isLastAttempt ? 'gave up sending a mail' : 'could not send a mail; will try again',
    );
}

const PAUSE_WITHOUT_MAIL = 3 * SECOND;

/** Keep sending mails as they become due. Stopping waits for those in progress. */
export function startMailing({ identity, audit, log }: BackgroundParts, sendMails: SendMails): Rounds {
  const tell = (error: unknown) => log.warn({ err: error }, 'could not read mails; will try again');
  const round = roundOf(withRecord(audit, 'mails', sendMails), { more: 0, done: PAUSE_WITHOUT_MAIL }, tell);
  const rounds = startRounds(round, PAUSE_WITHOUT_MAIL);
  identity.onMail = rounds.wake;
  return rounds;
}

// Between two steps, the thread can render texts for requests. The server looks for texts again even after it
// found none, because an import can add some.
const PAUSE_BETWEEN_TEXTS = 100;
const PAUSE_WITHOUT_TEXTS = 20 * SECOND;

const PAUSE_BETWEEN_TOKENS = 100;

/**
 * Keep telling members of API tokens that end, withdrawing consents to applications that stay deactivated, and storing
 * what applications look like. Stopping waits for the current step.
 */
export function startTokenNotices({ oauth, audit, log }: BackgroundParts): Rounds {
  const tell = (error: unknown) =>
    log.warn({ err: error }, 'could not look at API tokens, consents and applications; will try again');
  const pause = { more: PAUSE_BETWEEN_TOKENS, done: MINUTE };
  return startRounds(
    roundOf(
      withRecord(
        audit,
        'tokens',
        async () =>
          (await tellOfTokens(oauth)) + (await withdrawAbandonedGrants(oauth)) + (await renewLooks(oauth)),
      ),
      pause,
      tell,
    ),
    SECOND,
  );
}

/** Keep rendering texts that have no HTML of this version. Stopping waits for those in progress. */
export function startRendering({ community, audit, log }: BackgroundParts): Rounds {
  const tell = (error: unknown) => log.warn({ err: error }, 'could not render texts; will try again');
  const pause = { more: PAUSE_BETWEEN_TEXTS, done: PAUSE_WITHOUT_TEXTS };
  const render = withRecord(audit, 'rendering', () => renewRenderings(community));
  return startRounds(roundOf(render, pause, tell), SECOND);
}

const PAUSE_OF_DIARY = 1 * SECOND;
// The longer it waits, the fewer lines become of the same requests. So under load it takes 2 % of the time.
const REST_OF_DIARY = 50;

/** Keep bringing what was read into the access diaries. Stopping waits for what is in progress. */
export function startDiary({ audit, log }: BackgroundParts, mergeDiary: () => Promise<number>): Rounds {
  const tell = (error: unknown) =>
    log.warn({ err: error }, 'could not write the access diaries; will try again');
  const pause = { more: PAUSE_OF_DIARY, done: PAUSE_OF_DIARY };
  const round = roundOf(withRecord(audit, 'diary', mergeDiary), pause, tell);
  return startRounds(async () => {
    const begin = performance.now();
    const least = await round();
    return Math.max(least, Math.min(1 * MINUTE, REST_OF_DIARY * (performance.now() - begin)));
  }, PAUSE_OF_DIARY);
}

const PAUSE_WITHOUT_EVENTS = 1 * SECOND;
const PAUSE_OF_ENDED_CONSENTS = 1 * MINUTE;

// The answer says only whether the event has arrived. Redirects count as failures.
const DELIVERY = { method: 'POST', httpsOnly: true, mostBytes: 10_000, time: 10 * SECOND } as const;

/** Make the function that sends a request to an application. */
export function eventSender(fetchElsewhere: FetchPublic): Send {
  return async ({ url, ...request }) =>
    (await fetchElsewhere(url, { ...DELIVERY, ports: [443], ...request })).status;
}

/** Keep delivering events to applications. Stopping doesn't wait: the next process delivers those in progress. */
export function startEvents({ oauth, audit, log, clock }: EventParts, send: Send): Rounds {
  const tell = (error: unknown) => log.warn({ err: error }, 'could not read events; will try again');
  const delivery = openDelivery(
    oauth,
    send,
    (failure) => log.warn(failure, 'could not deliver an event to an application'),
    () => rounds.wake(),
  );
  let endsToldAt = 0;
  const deliver = withRecord(audit, 'events', async () => {
    if (clock() - endsToldAt >= PAUSE_OF_ENDED_CONSENTS) {
      await tellOfEndedConsents(oauth);
      endsToldAt = clock();
    }
    return delivery.begin();
  });
  const pause = { more: PAUSE_WITHOUT_EVENTS, done: PAUSE_WITHOUT_EVENTS };
  const rounds = startRounds(roundOf(deliver, pause, tell), PAUSE_WITHOUT_EVENTS);
  return {
    wake: rounds.wake,
    async stop() {
      delivery.stop();
      await rounds.stop();
    },
  };
}

type EventParts = Pick<BackgroundParts, 'oauth' | 'audit' | 'log'> & { clock: Clock };
