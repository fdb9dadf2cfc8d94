// oidc-provider in memory: its memory adapter over a Map (its own store keeps a thousand entries), its defaults without
// the pages for development, and refresh tokens that are always issued and always rotated, as Portico's are.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';
import { CALLBACK, CHALLENGE, type Client, member, NONCE, notebook, pocket } from './client.ts';
import { serveSeeds } from './seeds.ts';

const [port, seedPort] = process.argv.slice(2).map(Number);
const store = new Map();

const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: (model: string) => new MemoryAdapter(model, store),
  clients: [registration(notebook), registration(pocket)],
  jwks: {
    keys: [
      privateJwk(generateKeyPairSync('rsa', { modulusLength: 2048 })),
      privateJwk(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    ],
  },
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
  scopes: ['openid', 'profile', 'profile:read', 'posts:read'],
  claims: { openid: ['sub'], profile: Object.keys(member(1)) },
  findAccount: (_: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ sub: id, ...member(Number(id)) }),
  }),
  pkce: { required: () => true },
  issueRefreshToken: (_: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
    client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  // Codes are valid for longer than usual, so that the last one of a round is still valid when it is redeemed.
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 600,
    Grant: 1_209_600,
    IdToken: 3600,
    RefreshToken: 1_209_600,
  },
});

createServer(provider.callback()).listen(port, '127.0.0.1');

serveSeeds(
  {
    async code(client, scopes, member) {
      return new provider.AuthorizationCode({
        ...(await addGrant(client, scopes, member)),
        redirectUri: CALLBACK,
        codeChallenge: CHALLENGE,
        codeChallengeMethod: 'S256',
        authTime: now(),
        ...(scopes.includes('openid') ? { nonce: NONCE } : {}),
      }).save();
    },
    async signIn(client, scopes, member) {
      const facts = { ...(await addGrant(client, scopes, member)), gty: 'authorization_code' };
      const access = await new provider.AccessToken(facts).save();
      const refresh = await new provider.RefreshToken({ ...facts, authTime: now(), rotations: 0 }).save();
      return { access, refresh };
    },
  },
  seedPort as number,
);

/** Let a member allow the client these scopes. Returns the fields of every code and token under that grant. */
async function addGrant({ id }: Client, scopes: string[], member: number) {
  const accountId = String(member);
  const scope = scopes.join(' ');
  const grant = new provider.Grant({ accountId, clientId: id });
  grant.addOIDCScope(scope);
  const grantId: string = await grant.save();
  return { accountId, client: await provider.Client.find(id), grantId, scope };
}

function registration({ id, secret, alg }: Client) {
  return {
    client_id: id,
    client_secret: secret,
    token_endpoint_auth_method: 'client_secret_post',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    id_token_signed_response_alg: alg,
  };
}

function privateJwk({ privateKey }: ReturnType<typeof generateKeyPairSync>) {
  return privateKey.export({ format: 'jwk' });
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
