// The whole program on a port of its own, with a clock that tests set and a log that they can read.

import { compose, type Portico } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { listen } from '../../src/http/server.ts';
import { freePort } from './services.ts';

export interface App {
  /** The service's root address, without a trailing slash. */
  url: string;
  portico: Portico;
  clock: TestClock;
  close(): Promise<void>;
}

/** A clock that stands still until it is moved. Starts at the present, so that real cookies and certificates hold. */
export class TestClock {
  now = Date.now();
  readonly read = (): number => this.now;
  advance(ms: number): void {
    this.now += ms;
  }
}

/** Opens the program with a fresh database in memory, unless the settings name another. Silent by default. */
export async function openApp(settings: Record<string, string> = {}): Promise<App> {
  const clock = new TestClock();
  const port = await freePort();
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: 'file::memory:',
    LOG_LEVEL: 'silent',
    ...settings,
  });
  const portico = await compose(config, clock.read);
  await portico.database.migrate();
  const server = await listen(portico.app(), config.host, config.port);
  return {
    url: config.baseUrl,
    portico,
    clock,
    async close() {
      await server.close();
      await portico.close();
    },
  };
}
