// The place and the looks of a newcomer's evening: a community with one member and one post, its outbox, and a browser.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { byServer } from '../../src/audit/doer.ts';
import { write } from '../../src/community/writing.ts';
import { type App, openApp } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { openChromium } from '../support/chromium.ts';
import { type TestScope, temporaryFolder, writeMigrated } from '../support/databases.ts';
import { examine, MOST_SHIFT } from '../support/examination.ts';
import { press } from '../support/looks.ts';
import { browserOf, PASSWORD_HASH } from '../support/people.ts';
import { addMember } from '../support/seeding.ts';
import { mailOf, type ReceivedMail } from '../support/smtp-server.ts';

const SCREENS = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
const SCHEMES = ['light', 'dark'] as const;

const ENGLISH = {
  community: 'Bakers of the valley',
  title: 'Bread in the evening',
  begin: 'Flour, water and ',
  bold: 'patience',
  thanks: '. Thanks, @bo',
  descriptions: ['The mill', 'The hills behind it', 'The way home'],
  tag: 'bread',
  query: 'evening bread',
  marked: ['evening', 'Bread'],
  comment: 'How long did you wait?',
  others: { title: 'Rye', body: 'Two days of patience, and a cold night.', tag: 'rye' },
  news: 'Rolls for Sunday',
  digest: 'This week on Bakers of the valley',
};
type Words = typeof ENGLISH;
const CHINESE: Words = {
  community: '山谷面包师',
  title: '傍晚烤面包',
  begin: '面粉、水和',
  bold: '耐心',
  thanks: '。谢谢@bo',
  descriptions: ['磨坊', '磨坊后面的山', '回家的路'],
  tag: '面包',
  query: '面包',
  marked: ['面包'],
  comment: '等了多久？',
  others: { title: '黑麦', body: '两天的耐心，加上一个寒冷的夜晚。', tag: '黑麦' },
  news: '星期天的小面包',
  digest: '山谷面包师 本周精选',
};
const WORDS = { en: ENGLISH, zh: CHINESE };

interface Look {
  language: keyof typeof WORDS;
  screen: keyof typeof SCREENS;
  colorScheme: (typeof SCHEMES)[number];
}

const ALL_EVENINGS: (Look & { name: string })[] = (['en', 'zh'] as const).flatMap((language) =>
  (['desk', 'phone'] as const).flatMap((screen) =>
    SCHEMES.map((colorScheme) => ({
      language,
      screen,
      colorScheme,
      name: `${language}, ${screen}, ${colorScheme}`,
    })),
  ),
);

/** The evenings of this run. At each stop, the two take a look at the page as all eight have it. */
export const EVENINGS =
  process.env.EVENINGS === '8'
    ? ALL_EVENINGS
    : ALL_EVENINGS.filter(({ name }) => name === 'en, desk, light' || name === 'zh, phone, dark');

export interface Evening {
  app: App;
  page: Page;
  words: Words;
  folder: string;
  /** What is wrong with the pages so far. */
  faults: string[];
  /** Click, and wait for the page to which it leads. */
  press(selector: string): Promise<void>;
  /** Look at the page. While a text is written, its field grows, and what is below it moves. */
  stop(name: string, isWritten?: boolean): Promise<void>;
  /** The mails that arrived in the outbox since the last time, for this member. */
  mailsTo(username: string): Promise<ReceivedMail[]>;
  /** bob, with a post that has a tag. */
  others: { url: string; browser: Browser; publish(title: string): Promise<void> };
}

export async function openEvening(scope: TestScope, name: string, look: Look): Promise<Evening> {
  const words = WORDS[look.language];
  const folder = await temporaryFolder(scope);
  const database = join(folder, 'portico.db');
  await writeMigrated(database);
  const app = await openApp({ DATABASE_URL: `file:${database}`, SITE_NAME: words.community });
  scope.after(() => app.close());
  const chromium = await openChromium();
  scope.after(() => chromium.close());
  const { screen, colorScheme, language } = look;
  const locale = language === 'en' ? 'en-GB' : 'zh-CN';
  // Otherwise colours fade for a moment when the scheme changes.
  const reducedMotion = 'reduce';
  const context = await chromium.newContext({
    locale,
    colorScheme,
    viewport: SCREENS[screen],
    reducedMotion,
  });
  const page = await context.newPage();
  const mailsTo = outboxReader(app, join(folder, 'outbox'));
  const others = await addBob(app, words, language);
  // A mail tells him of the sign-in.
  await mailsTo('bob');
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  return {
    app,
    page,
    words,
    folder,
    faults,
    press: (selector) => press(page, selector),
    stop: stopper(page, name, look, faults),
    mailsTo,
    others,
  };
}

// Without EVENINGS, in each colour scheme and on each screen. Its own is the last, and stays.
function stopper(page: Page, name: string, look: Look, faults: string[]): Evening['stop'] {
  const others =
    EVENINGS.length === 8 ? [] : ALL_EVENINGS.filter(({ language }) => language === look.language);
  return async (stop, isWritten = false) => {
    await noteFaults(`${name}, ${stop}`, isWritten);
    await takePicture(`${stop} ${name}`);
    for (const { screen, colorScheme, name } of others) {
      await show({ screen, colorScheme });
      await noteFaults(`${name}, ${stop}`, true);
    }
    if (others.length > 0) await show(look);
  };

  async function show({ screen, colorScheme }: Pick<Look, 'screen' | 'colorScheme'>): Promise<void> {
    await page.setViewportSize(SCREENS[screen]);
    await page.emulateMedia({ colorScheme });
  }

  async function noteFaults(place: string, mayShift: boolean): Promise<void> {
    const { barriers, shift, isWiderThanScreen } = await examine(page);
    faults.push(...barriers.map((barrier) => `${place}: ${barrier}`));
    if (shift > MOST_SHIFT && !mayShift) faults.push(`${place}: a shift of ${shift}`);
    if (isWiderThanScreen) faults.push(`${place}: is wider than the screen`);
  }

  async function takePicture(file: string): Promise<void> {
    const folder = process.env.SCREENSHOTS;
    if (folder === undefined) return;
    await page.screenshot({ path: join(folder, `${file.replaceAll(/[, ]+/g, '-')}.png`), fullPage: true });
  }
}

function outboxReader({ portico }: App, outbox: string): Evening['mailsTo'] {
  const seen = new Set<string>();
  return async (username) => {
    while ((await portico.sendMails()) > 0);
    const files = (await readdir(outbox)).filter((file) => !seen.has(file));
    const mails: ReceivedMail[] = [];
    for (const file of files) {
      const source = await readFile(join(outbox, file), 'utf8');
      if (!source.includes(`\nTo: ${username}@home.example`)) continue;
      seen.add(file);
      mails.push(mailOf([], source));
    }
    await keepMails(username, mails);
    return mails;
  };
}

async function keepMails(username: string, mails: ReceivedMail[]): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  for (const { subject, text } of mails) {
    await writeFile(join(folder, `mail to ${username}, ${subject}.txt`), `${subject}\n\n${text}`);
  }
}

// bob is the operator, has an address, and has signed in, so that he gets mails.
async function addBob(app: App, { others }: Words, language: Look['language']): Promise<Evening['others']> {
  const { portico, clock } = app;
  const email = 'bob@home.example';
  const authorId = await addMember(portico, 'bob', { passwordHash: PASSWORD_HASH, email });
  await portico.identity.writes.setRole(byServer(clock.read), authorId, 'operator');
  const publish = async (title: string) => {
    const text = { title, body: others.body, tags: others.tag, categoryId: 1 };
    const writing = { authorId, text, status: 'published' } as const;
    const post = await write(byServer(clock.read), portico.community, writing);
    if (!('id' in post)) throw new Error(JSON.stringify(post));
    return post.id;
  };
  const id = await publish(others.title);
  const browser = await browserOf(app, 'bob', language);
  const url = app.url + ((await browser.open(`/posts/${id}`)).headers.get('location') ?? `/posts/${id}`);
  return { url, browser, publish: async (title) => void (await publish(title)) };
}
