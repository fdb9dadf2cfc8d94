// The sandbox in this process, with a clock that tests set, and a developer in front of it.

import { listen } from '../../src/http/server.ts';
import type { SandboxSet, SetPlace, Sets } from '../../src/sandbox/sets.ts';
import { composeSandbox, sandboxConfig } from '../../src/sandbox.ts';
import { type App, TestClock } from './app.ts';
import { Browser } from './browser.ts';
import { answerConsent } from './relying-party.ts';
import { freePort } from './services.ts';
import { prepareWithTestKeys } from './signing-keys.ts';

export interface SandboxApp extends App {
  sets: Sets;
}

export async function openSandbox(settings: Record<string, string> = {}): Promise<SandboxApp> {
  const clock = new TestClock();
  const port = await freePort();
  const config = sandboxConfig({
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'silent',
    ...settings,
  });
  const portico = await composeSandbox(config, clock.read);
  await prepareWithTestKeys(portico);
  const server = await listen(portico.app(), config.host, config.port);
  return {
    url: config.baseUrl,
    portico,
    sets: portico.sets,
    clock,
    async close() {
      await server.close(true);
      await portico.close();
    },
  };
}

/** A developer who has started a set in a browser. */
export class Developer {
  readonly browser: Browser;
  readonly set: SandboxSet;

  constructor(browser: Browser, set: SandboxSet) {
    this.browser = browser;
    this.set = set;
  }

  /** Press the button of a fault. Returns the page that follows. */
  async order(fault: string, fields: Record<string, string> = {}): Promise<string> {
    const page = await this.browser.read('/sandbox');
    const answer = await this.browser.submit(page, '/sandbox/faults', { fault, ...fields });
    return this.browser.read(answer.headers.get('location') ?? '');
  }

  /** Open an authorization address, and allow what it asks for. Returns the address of the callback. */
  allow(url: string): Promise<URL> {
    return answerConsent(this.browser, new URL(url).searchParams);
  }

  /** Whether a fault still waits. */
  waits(place: SetPlace): boolean {
    return this.set.faults.first(place) !== undefined;
  }
}

/** Press Start in a new browser. */
export async function startSet({ url, sets }: SandboxApp, language?: string): Promise<Developer> {
  const browser = new Browser(url, language);
  await browser.submit(await browser.read('/'), '/sandbox/start');
  const set = sets.find(browser.cookie('portico_sandbox'));
  if (set === undefined) throw new Error('The set was not started.');
  return new Developer(browser, set);
}
