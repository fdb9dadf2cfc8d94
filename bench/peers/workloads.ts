// The peers' workloads: those of bench/workloads.ts that the libraries can do.

import { shuffle } from '../community.ts';
import { get, type Workload } from '../workloads.ts';
import { CALLBACK, type Client, notebook, pocket, VERIFIER } from './client.ts';
import { codes, type Order, type SignedIn, signIns } from './seeds.ts';

export interface PeerWorkload extends Workload {
  /** What a successful response contains. */
  expectedText: string;
  /** `count`: how many requests, if they can't be repeated; by default as many as a round needs. */
  requests(count?: number): Promise<string[]>;
}

export interface Peer {
  name: string;
  /** The file of its server in this folder. */
  file: string;
  workloads(seedPort: number, members: number, unrepeatable: number): PeerWorkload[];
}

const SCOPES = ['profile:read', 'posts:read'];
const OPENID = ['openid', 'profile'];

export const PEERS: Peer[] = [
  {
    name: 'oidc-provider',
    file: 'oidc-provider.ts',
    workloads(seedPort, members, unrepeatable) {
      const plain = { client: notebook, scopes: SCOPES, count: unrepeatable };
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
    workloads(seedPort, members, unrepeatable) {
      const plain = { client: notebook, scopes: SCOPES, count: unrepeatable };
      return [
        profile(seedPort, { ...plain, count: members }),
        exchange('code exchange with PKCE', seedPort, plain),
        refresh(seedPort, plain),
      ];
    },
  },
];

const SHOWN = { must: undefined, aim: undefined, status: 200 };

function profile(seedPort: number, order: Order): PeerWorkload {
  let live: Promise<SignedIn[]> | undefined;
  return {
    ...SHOWN,
    name: 'GET /me',
    expectedText: '"username"',
    isRepeatable: true,
    async requests() {
      live ??= signIns(seedPort, order);
      return shuffle(await live).map(({ access }) => get('/me', `Authorization: Bearer ${access}`));
    },
  };
}

function exchange(name: string, seedPort: number, order: Order): PeerWorkload {
  return {
    ...SHOWN,
    name,
    expectedText: order.scopes.includes('openid') ? '"id_token"' : '"refresh_token"',
    isRepeatable: false,
    async requests(count = order.count) {
      const newCodes = await codes(seedPort, { ...order, count });
      const fields = {
        grant_type: 'authorization_code',
        redirect_uri: CALLBACK,
        code_verifier: VERIFIER,
      };
      return newCodes.map((code) => form('/token', order.client, { ...fields, code }));
    },
  };
}

function refresh(seedPort: number, order: Order): PeerWorkload {
  return {
    ...SHOWN,
    name: 'refresh with rotation',
    expectedText: '"refresh_token"',
    isRepeatable: false,
    async requests(count = order.count) {
      const newSignIns = await signIns(seedPort, { ...order, count });
      return newSignIns.map(({ refresh }) =>
        form('/token', order.client, { grant_type: 'refresh_token', refresh_token: refresh }),
      );
    },
  };
}

function revoke(seedPort: number, order: Order): PeerWorkload {
  return {
    ...SHOWN,
    name: 'revoke',
    expectedText: '',
    isRepeatable: false,
    async requests(count = order.count) {
      const newSignIns = await signIns(seedPort, { ...order, count });
      return newSignIns.map(({ access }) => form('/token/revocation', order.client, { token: access }));
    },
  };
}

function form(path: string, { id, secret }: Client, fields: Record<string, string>): string {
  const body = new URLSearchParams({ ...fields, client_id: id, client_secret: secret }).toString();
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
