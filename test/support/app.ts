// The whole program in this process, on a port of its own, with a clock that tests set.

import { pino } from 'pino';
import { compose, type Portico } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { listen } from '../../src/http/server.ts';
import { type Log, openLog } from '../../src/lib/log.ts';
import { type FetchDocument, openClientDocuments } from '../../src/oauth/client-documents.ts';
import { writeMigrated } from './databases.ts';
import { freePort } from './services.ts';
import { prepareWithTestKeys } from './signing-keys.ts';
import { traceOf } from './traces.ts';

export interface App {
  /** The service's root address, without a trailing slash. */
  url: string;
  portico: Portico;
  clock: TestClock;
  close(): Promise<void>;
}

/** A clock that stands still until a test advances it. It starts at the present, so that real cookies are valid. */
export class TestClock {
  now = Date.now();
  readonly read = (): number => this.now;
  advance(ms: number): void {
    this.now += ms;
  }
}

/** Open the program with a fresh database in memory. If this run keeps traces, database and full log are files. */
export async function openApp(
  settings: Record<string, string> = {},
  ownLog?: Log,
  fetchDocument?: FetchDocument,
): Promise<App> {
  const clock = new TestClock();
  const port = await freePort();
  const trace = traceOf();
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: `file:${trace?.database ?? ':memory:'}`,
    LOG_LEVEL: 'silent',
    ...settings,
  });
  const traceLog =
    trace === undefined ? undefined : openLog('trace', pino.destination({ dest: trace.log, sync: true }));
  if (trace !== undefined && settings.DATABASE_URL === undefined) await writeMigrated(trace.database);
  const log = ownLog ?? traceLog;
  const portico = await compose(config, clock.read, log);
  await prepareWithTestKeys(portico);
  const documents = fetchDocument && openClientDocuments(portico.oauth, portico.identity, fetchDocument);
  const server = await listen(
    portico.app({ parts: { ...(documents && { documents }) } }),
    config.host,
    config.port,
  );
  return {
    url: config.baseUrl,
    portico,
    clock,
    async close() {
      await server.close(true);
      await portico.close();
    },
  };
}
