// Requests to a service with metrics, and their counts in these metrics.

/** A service whose metrics have a port of their own. */
export interface WatchedService {
  url: string;
  metricsPort: number;
}

/** Send a request on a connection of its own. Returns the status. */
export function ask(url: string, options: RequestInit = {}): Promise<number> {
  return fetch(url, { ...options, headers: { Connection: 'close', ...options.headers } }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
  );
}

/** Send a wrong secret to the token endpoint. */
export const refusedToken = (url: string): Promise<number> =>
  ask(`${url}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', client_id: 'mallory', client_secret: 'x' }),
  });

/** Return the number of requests for each door and status, by their labels. */
export function requestsOf(metrics: Map<string, number>): Record<string, number> {
  const counts = [...metrics].filter(([name, value]) => name.startsWith('portico_requests_total') && value);
  return Object.fromEntries(
    counts.map(([name, value]) => [name.slice('portico_requests_total'.length), value]),
  );
}
