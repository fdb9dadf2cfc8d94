// What is measured of the peers, as bench/works.ts has it for Portico.

import { shuffled } from '../community.ts';
import { get, type Work } from '../works.ts';
import { CALLBACK, type Client, notebook, pocket, VERIFIER } from './client.ts';
import { codes, type Order, type SignedIn, signIns } from './seeds.ts';

export interface PeerWork extends Work {
  /** What an answer holds if the work has been done. */
  sign: string;
  /** So many requests where each is sent once; without a number as many as a round needs. */
  requests(count?: number): Promise<string[]>;
}

export interface Peer {
  name: string;
  /** The file of its server in this folder. */
  file: string;
  works(seedPort: number, members: number, once: number): PeerWork[];
}

const SCOPES = ['profile:read', 'posts:read'];
const OPENID = ['openid', 'profile'];

export const PEERS: Peer[] = [
  {
    name: 'oidc-provider',
    file: 'oidc-provider.ts',
    works(seedPort, members, once) {
      const plain = { client: notebook, scopes: SCOPES, count: once };
      const openid = { ...plain, scopes: OPENID };
      return [
        // The profile, here the userinfo, needs the scope openid.
        profile(seedPort, { ...openid, count: members }),
        exchange('code exchange with PKCE', seedPort, plain),
        exchange('code exchange with an ES256 id_token', seedPort, { ...openid, client: pocket }),
        exchange('code exchange with an RS256 id_token', seedPort, openid),
        refresh(seedPort, plain),
        revoke(seedPort, plain),
      ];
    },
  },
  {
    name: '@node-oauth/oauth2-server',
    file: 'oauth2-server.ts',
    works(seedPort, members, once) {
      const plain = { client: notebook, scopes: SCOPES, count: once };
      return [
        profile(seedPort, { ...plain, count: members }),
        exchange('code exchange with PKCE', seedPort, plain),
        refresh(seedPort, plain),
      ];
    },
  },
];

const SHOWN = { must: undefined, aim: undefined, status: 200 };

function profile(seedPort: number, order: Order): PeerWork {
  let live: Promise<SignedIn[]> | undefined;
  return {
    ...SHOWN,
    name: 'GET /me',
    sign: '"username"',
    again: true,
    async requests() {
      live ??= signIns(seedPort, order);
      return shuffled(await live).map(({ access }) => get('/me', `Authorization: Bearer ${access}`));
    },
  };
}

function exchange(name: string, seedPort: number, order: Order): PeerWork {
  return {
    ...SHOWN,
    name,
    sign: order.scopes.includes('openid') ? '"id_token"' : '"refresh_token"',
    again: false,
    async requests(count = order.count) {
      const made = await codes(seedPort, { ...order, count });
      const fields = {
        grant_type: 'authorization_code',
        redirect_uri: CALLBACK,
        code_verifier: VERIFIER,
      };
      return made.map((code) => form('/token', order.client, { ...fields, code }));
    },
  };
}

function refresh(seedPort: number, order: Order): PeerWork {
  return {
    ...SHOWN,
    name: 'refresh with rotation',
    sign: '"refresh_token"',
    again: false,
    async requests(count = order.count) {
      const made = await signIns(seedPort, { ...order, count });
      return made.map(({ refresh }) =>
        form('/token', order.client, { grant_type: 'refresh_token', refresh_token: refresh }),
      );
    },
  };
}

function revoke(seedPort: number, order: Order): PeerWork {
  return {
    ...SHOWN,
    name: 'revoke',
    sign: '',
    again: false,
    async requests(count = order.count) {
      const made = await signIns(seedPort, { ...order, count });
      return made.map(({ access }) => form('/token/revocation', order.client, { token: access }));
    },
  };
}

function form(path: string, { id, secret }: Client, fields: Record<string, string>): string {
  const body = new URLSearchParams({ ...fields, client_id: id, client_secret: secret }).toString();
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
