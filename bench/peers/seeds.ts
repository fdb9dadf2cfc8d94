// What a peer makes for those who measure it: a second port of the peer's process makes codes and tokens as asked and
// hands out their plain values, so that works that can't be repeated get new ones for each round.

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

/** Each works for the member of that number. */
export interface Seeds {
  code(client: Client, scopes: string[], member: number): Promise<string>;
  signIn(client: Client, scopes: string[], member: number): Promise<SignedIn>;
}

export function handOut(seeds: Seeds, port: number): void {
  createServer(async (request, answer) => {
    const make = request.url === '/code' ? seeds.code : seeds.signIn;
    const { client, scopes, count } = (await json(request)) as Order;
    const made: unknown[] = [];
    for (let member = 1; member <= count; member += 1) made.push(await make(client, scopes, member));
    answer.end(JSON.stringify(made));
  }).listen(port, '127.0.0.1');
}

/** Has the peer whose second port this is make codes. */
export function codes(port: number, order: Order): Promise<string[]> {
  return ordered(port, '/code', order);
}

/** Has the peer whose second port this is sign members in. */
export function signIns(port: number, order: Order): Promise<SignedIn[]> {
  return ordered(port, '/sign-in', order);
}

async function ordered<T>(port: number, path: string, order: Order): Promise<T[]> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body: JSON.stringify(order),
  });
  return (await answer.json()) as T[];
}
