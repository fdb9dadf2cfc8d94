// The fixture of the tests about mails: the program, an SMTP server, and members with confirmed addresses.

import assert from 'node:assert/strict';
import { beforeEach } from 'node:test';
import { HOUR } from '../../../src/lib/clock.ts';
import { type App, openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, person } from '../../support/people.ts';
import { type SmtpServer, startSmtpServer } from '../../support/smtp-server.ts';

export interface MailFixture {
  app: App;
  server: SmtpServer;
  /** Sends what is due. Returns the link in the last mail, as a path. */
  mailedLink(): Promise<string>;
  emailOf(username: string): Promise<string | undefined>;
  /** A member with a confirmed address, signed in. */
  memberWithAddress(username: string): Promise<Browser>;
  giveAddress(browser: Browser, email: string, password?: string): Promise<Response>;
  join(username: string, email: string, language?: string): Promise<Response>;
  askForReset(account: string, language?: string): Promise<Response>;
}

/** Opens the program for the tests of one file. */
export async function openMailFixture(scope: { after(close: () => unknown): void }): Promise<MailFixture> {
  const server = await startSmtpServer(scope);
  const app = await openApp({ SMTP_URL: server.url, SITE_NAME: 'Agora' });
  const { portico } = app;
  scope.after(() => app.close());
  await person(portico, 'founder');

  // Each test starts with fresh hourly limits and no mail waiting.
  beforeEach(async () => {
    app.clock.advance(HOUR);
    while ((await portico.sendMails()) > 0);
    server.mails.length = 0;
  });

  async function mailedLink(): Promise<string> {
    while ((await portico.sendMails()) > 0);
    const text = server.mails.at(-1)?.text ?? '';
    return /https?:\S+/.exec(text.slice(0, text.indexOf('\n-- ')))?.[0].replace(app.url, '') ?? '';
  }

  async function emailOf(username: string): Promise<string | undefined> {
    return (await portico.identity.reads.findUserByName(username))?.email;
  }

  async function memberWithAddress(username: string): Promise<Browser> {
    const browser = new Browser(app.url);
    await person(portico, username);
    await browser.signIn(username, PASSWORD);
    await giveAddress(browser, `${username}@home.example`);
    const link = await mailedLink();
    await browser.submit(await text(browser.follow(link)), '/email/confirm');
    assert.equal(await emailOf(username), `${username}@home.example`);
    server.mails.length = 0;
    return browser;
  }

  async function giveAddress(browser: Browser, email: string, password = PASSWORD): Promise<Response> {
    const page = await text(browser.open('/settings/security'));
    return browser.submit(page, '/settings/security/email', {
      email,
      email_password: password,
      do: 'change',
    });
  }

  async function join(username: string, email: string, language = 'en'): Promise<Response> {
    const browser = new Browser(app.url, language);
    const page = await text(browser.open('/signup?return_to=%2Fwrite'));
    return browser.submit(page, '/signup', { username, password: PASSWORD, email });
  }

  async function askForReset(account: string, language = 'en'): Promise<Response> {
    const browser = new Browser(app.url, language);
    return browser.submit(await text(browser.open('/forgot-password')), '/forgot-password', { account });
  }

  return { app, server, mailedLink, emailOf, memberWithAddress, giveAddress, join, askForReset };
}

export async function text(answer: Response | Promise<Response>): Promise<string> {
  return (await answer).text();
}
