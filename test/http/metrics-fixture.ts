// Requests to a service that is watched, and their numbers in its metrics.

/** A service whose metrics are served at a port of their own. */
export interface Watched {
  url: string;
  metricsPort: number;
}

/** Asks on a connection of its own. */
export function ask(url: string, options: RequestInit = {}): Promise<number> {
  return fetch(url, { ...options, headers: { Connection: 'close', ...options.headers } }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
  );
}

/** Asks the token endpoint with a wrong secret. */
export const refusedToken = (url: string): Promise<number> =>
  ask(`${url}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', client_id: 'mallory', client_secret: 'x' }),
  });

/** The requests of each door and status, by their labels. */
export function requestsOf(numbers: Map<string, number>): Record<string, number> {
  const counted = [...numbers].filter(([name, value]) => name.startsWith('portico_requests_total') && value);
  return Object.fromEntries(
    counted.map(([name, value]) => [name.slice('portico_requests_total'.length), value]),
  );
}
