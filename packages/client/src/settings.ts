// What an application tells this library about itself.

import { PorticoError } from './errors.ts';
import { type Fetch, patientFetch, type Wait, waitInRealTime } from './patient-fetch.ts';

export interface ServerSettings {
  /** The address of the community, without a path. */
  issuer: string;
  /** Replaces the global `fetch`, such as for a proxy. */
  fetch?: Fetch;
  /** Returns the time in milliseconds since 1970. For tests. */
  now?: () => number;
  /** Waits so many milliseconds. For tests. */
  wait?: Wait;
}

export interface ApplicationSettings extends ServerSettings {
  clientId: string;
  /** For confidential applications. It must never reach a browser. */
  clientSecret?: string;
  /** The callback address, exactly as it is registered. */
  redirectUri: string;
  /** What to ask the member for. By default everything: `openid profile:read posts:read`. */
  scope?: string;
}

/** The settings of a server, checked, with what they leave out. */
export interface Server {
  issuer: string;
  /** Whether requests go to this machine, where http is enough. */
  isLocal: boolean;
  now: () => number;
  /** For the API: repeats a refused request for up to two minutes, which is longer than the limit's window. */
  fetch: Fetch;
  /** For tokens: repeats it for ten seconds only, since others wait for the lock. */
  fetchSoon: Fetch;
}

const PATIENCE = 120_000;
const LITTLE_PATIENCE = 10_000;

export function serverOf(settings: ServerSettings): Server {
  const { issuer, now = Date.now, wait = waitInRealTime } = settings;
  const fetch = settings.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isLocal = url !== undefined && /^(localhost|\[::1\]|127(\.\d+){3})$/.test(url.hostname);
  if (url?.origin !== issuer || !(url.protocol === 'https:' || isLocal)) {
    throw new PorticoError(
      'wrong_settings',
      `The issuer is ${JSON.stringify(issuer)}. Expected the address of the community, such as ` +
        'https://community.example: https, and nothing after the host. Only this machine can use http.',
    );
  }
  return {
    issuer,
    isLocal,
    now,
    fetch: patientFetch(fetch, wait, PATIENCE),
    fetchSoon: patientFetch(fetch, wait, LITTLE_PATIENCE),
  };
}
