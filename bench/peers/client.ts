// What the peers' servers and workloads share: the clients, the members' profiles and the values of PKCE.

import { createHash } from 'node:crypto';

export const CALLBACK = 'https://notebook.example.com/callback';
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
export const NONCE = 'n-0S6_WzA2Mj';

export interface Client {
  id: string;
  secret: string;
  /** What its id_tokens are signed with. */
  alg: 'RS256' | 'ES256';
}

export const notebook: Client = { id: 'notebook', secret: 'notebook-'.padEnd(43, 'n'), alg: 'RS256' };
export const pocket: Client = { id: 'pocket', secret: 'pocket-'.padEnd(43, 'p'), alg: 'ES256' };

export interface Member {
  username: string;
  bio: string;
  member: boolean;
  level: number;
  xp: number;
}

/** Return a member's profile; ids begin at 1. */
export function member(id: number): Member {
  return { username: `member-${id}`, bio: 'Reads a lot', member: true, level: 3, xp: 1234 };
}
