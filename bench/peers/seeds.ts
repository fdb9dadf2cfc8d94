// A second port of the peer's process issues codes and tokens on request, so that workloads whose requests can't be
// repeated get new ones for each round.

import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Client } from './client.ts';

export interface Order {
  client: Client;
  scopes: string[];
  count: number;
}

/** A member's tokens at a client. */
export interface SignedIn {
  access: string;
  refresh: string;
}

/** How a peer issues a code, or a pair of tokens, to the member with this id. */
export interface Seeds {
  code(client: Client, scopes: string[], member: number): Promise<string>;
  signIn(client: Client, scopes: string[], member: number): Promise<SignedIn>;
}

/** In the peer's process: listen for orders on its second port. */
export function serveSeeds(seeds: Seeds, port: number): void {
  createServer(async (request, answer) => {
    const issue = request.url === '/code' ? seeds.code : seeds.signIn;
    const { client, scopes, count } = (await json(request)) as Order;
    const results: unknown[] = [];
    for (let member = 1; member <= count; member += 1) results.push(await issue(client, scopes, member));
    answer.end(JSON.stringify(results));
  }).listen(port, '127.0.0.1');
}

/** Let the peer with this second port issue codes. */
export function codes(port: number, order: Order): Promise<string[]> {
  return send(port, '/code', order);
}

/** Let the peer with this second port sign members in. */
export function signIns(port: number, order: Order): Promise<SignedIn[]> {
  return send(port, '/sign-in', order);
}

async function send<T>(port: number, path: string, order: Order): Promise<T[]> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body: JSON.stringify(order),
  });
  return (await answer.json()) as T[];
}
