// A full community in a file, and an empty PostgreSQL database to move it to.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Portico } from '../../../src/compose.ts';
import type { Refusal } from '../../../src/lib/refusal.ts';
import { type MoveOptions, moveDatabase } from '../../../src/storage/copies/database-move.ts';
import { type App, openApp, type TestClock } from '../../support/app.ts';
import { createPostgresDatabase, type TestScope, temporaryFolder } from '../../support/databases.ts';
import {
  contentsOfFile,
  contentsOfPostgres,
  type FullCommunity,
  fillAccounts,
  fillOtherTables,
} from '../../support/moving.ts';

export const skip = process.env.TEST_POSTGRES_URL
  ? false
  : 'TEST_POSTGRES_URL is not set; run it with npm test';

export interface MoveFixture extends FullCommunity {
  portico: Portico;
  clock: TestClock;
  path: string;
  url: string;
  move(options?: MoveOptions): ReturnType<typeof moveDatabase>;
  /** Move, and return the number of rows written to each table; tables without any are left out. */
  moveAgain(): Promise<Record<string, number>>;
}

/** Fill a file and open a server on it. Returns them with an empty PostgreSQL database. */
export async function openMove(scope: TestScope): Promise<MoveFixture> {
  const path = join(await temporaryFolder(scope), 'portico.db');
  const url = await createPostgresDatabase(scope);
  const { portico, clock, close } = await openApp({ DATABASE_URL: `file:${path}` });
  scope.after(close);
  const community = await fillAccounts(portico);
  fillOtherTables(path);
  const move = (options?: MoveOptions) => moveDatabase(path, url, options);
  const moveAgain = async () => {
    const { tables } = await move();
    return Object.fromEntries(
      tables.filter(({ written }) => written > 0).map((table) => [table.name, table.written]),
    );
  };
  return { ...community, portico, clock, path, url, move, moveAgain };
}

/** Start a server on this database, for the duration of the test. */
export async function openAppOn(url: string, scope: TestScope): Promise<App> {
  const app = await openApp({ DATABASE_URL: url });
  scope.after(app.close);
  return app;
}

/** Check that the file and PostgreSQL have the same rows. */
export async function assertSame({ path, url }: MoveFixture): Promise<void> {
  assert.deepEqual(await contentsOfPostgres(url), contentsOfFile(path));
}

/** Return a check that an error is a refusal with this code and message. */
export const isRefusal = (code: string, words: RegExp) => (error: unknown) => {
  assert.equal((error as Refusal).code, code, String(error));
  assert.match((error as Refusal).message, words);
  return true;
};
