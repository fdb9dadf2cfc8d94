// Requests that wait and try again when the server asks for it.

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Wait so many milliseconds, or reject when the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

const TIMEOUT = 10_000;
// The server has not done what was asked for.
const BUSY = [429, 503];
// A proxy got no answer: the server may have done it.
const UNANSWERED = [502, 504];

/**
 * Return a fetch that repeats refused requests after the time in `Retry-After`, or after 1, 2, 4 … seconds. It waits
 * `patience` milliseconds in all, and then returns the refusal. If the server may have done what was asked for, it
 * repeats only a GET: a code or a refresh token that comes twice ends the sign-in.
 */
export function patientFetch(fetch: Fetch, wait: Wait, patience: number): Fetch {
  return async (url, init) => {
    const signal = init.signal ?? undefined;
    for (let waited = 0, pause = 1000; ; pause *= 2) {
      const { response, error } = await send(fetch, url, init);
      const ms = pauseAfter(response, pause, init.method ?? 'GET');
      if (ms === undefined || waited + ms > patience || signal?.aborted) {
        if (response !== undefined) return response;
        throw error;
      }
      await response?.body?.cancel();
      await wait(ms, signal);
      waited += ms;
    }
  };
}

async function send(
  fetch: Fetch,
  url: string,
  init: RequestInit,
): Promise<{ response?: Response; error?: unknown }> {
  const timeout = AbortSignal.timeout(TIMEOUT);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  try {
    return { response: await fetch(url, { ...init, signal }) };
  } catch (error) {
    return { error };
  }
}

function pauseAfter(response: Response | undefined, pause: number, method: string): number | undefined {
  const isUnanswered = response === undefined || UNANSWERED.includes(response.status);
  if (isUnanswered) return method === 'GET' ? pause : undefined;
  return BUSY.includes(response.status) ? (retryAfter(response) ?? pause) : undefined;
}

/** Return the milliseconds in `Retry-After`. Undefined if it has none. */
export function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

export const waitInRealTime: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
