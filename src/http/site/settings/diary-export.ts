// The whole access diary as a file, CSV for a spreadsheet or JSON.

import type { User } from '../../../identity/user.ts';
import { attempted, hourlyLimit } from '../../../lib/attempt.ts';
import { DAY } from '../../../lib/clock.ts';
import { csvLine } from '../../../lib/csv.ts';
import { DIARY_LIFETIME } from '../../../oauth/access-diary.ts';
import type { DiaryLine } from '../../../oauth/access-diary-store.ts';
import { downloadOf, withoutRoom } from '../../pages/download.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { tooOftenPage } from '../../pages/too-often.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { diaryNames, fieldsIn } from './diary-names.ts';

const MOST_EXPORTS_AN_HOUR = 10;
// A day has 2,400, and a few without their tokens.
const LINES_OF_DAY = 10_000;

/** Answer with the diary as a file. */
export async function downloadDiary(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const refused = withoutRoom(c, { userId: user.id, address: site.clientAddress(c) }, '/settings/diary');
  if (refused !== undefined) return refused;
  const limit = hourlyLimit(site.clock(), MOST_EXPORTS_AN_HOUR, 'diary', user.id);
  const tooFast = await attempted(site.identity, limit);
  if (tooFast !== undefined) return tooOftenPage(c, tooFast, '/settings/diary');
  const records = diaryRecords(site, user);
  if (form.text('format') === 'csv') return downloadOf(c, 'access-diary.csv', csvOf(records));
  return downloadOf(c, 'access-diary.json', jsonOf(records));
}

export interface DiaryRecord {
  firstAt: string;
  lastAt: string;
  application: string;
  applicationId: string;
  /** Tells sign-ins and API tokens apart. */
  source: string;
  reading: string;
  fields: readonly string[];
  posts: number;
  status: number;
  requests: number;
  network: string;
  program: string;
}

/** Yield the diary as records, newest first. */
export async function* diaryRecords(site: SiteParts, user: User): AsyncGenerator<DiaryRecord> {
  const nameOf = await diaryNames(site, user.id);
  const now = site.clock();
  for (let until = now + DAY; until > now - DIARY_LIFETIME; until -= DAY) {
    const part = { userId: user.id, from: until - DAY, until, limit: LINES_OF_DAY };
    for (const line of await site.oauth.reads.diaryLines(part)) yield recordOf(line, await nameOf(line));
  }
}

function recordOf(line: DiaryLine, application: string): DiaryRecord {
  const { clientId, source, reading, status, network, program, requests, posts } = line;
  return {
    firstAt: new Date(line.firstAt).toISOString(),
    lastAt: new Date(line.lastAt).toISOString(),
    application,
    applicationId: clientId,
    source,
    reading,
    fields: fieldsIn(line),
    posts,
    status,
    requests,
    network,
    program,
  };
}

async function* jsonOf(records: AsyncGenerator<DiaryRecord>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const record of records) {
    yield separator + JSON.stringify(record);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

const COLUMNS = [
  'firstAt',
  'lastAt',
  'application',
  'applicationId',
  'source',
  'reading',
  'fields',
  'posts',
  'status',
  'requests',
  'network',
  'program',
] as const satisfies readonly (keyof DiaryRecord)[];

async function* csvOf(records: AsyncGenerator<DiaryRecord>): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const record of records) yield csvLine(COLUMNS.map((column) => record[column]));
}
