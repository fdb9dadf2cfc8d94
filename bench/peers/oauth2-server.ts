// @node-oauth/oauth2-server in memory, on the runtime's own server: its defaults, a model over Maps.

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { text } from 'node:stream/consumers';
import OAuth2Server from '@node-oauth/oauth2-server';
import { CALLBACK, CHALLENGE, member, notebook } from './client.ts';
import { serveSeeds } from './seeds.ts';

const [port, seedPort] = process.argv.slice(2).map(Number);
const client = {
  ...notebook,
  redirectUris: [CALLBACK],
  grants: ['authorization_code', 'refresh_token'],
};
const accessTokens = new Map();
const refreshTokens = new Map();
const codes = new Map();

interface Token {
  accessToken: string;
  refreshToken: string;
  scope: string[];
}

const model = {
  getClient: async (id: string, secret: string | null) =>
    id === client.id && (secret === null || secret === client.secret) ? client : undefined,
  getAccessToken: async (text: string) => accessTokens.get(text),
  getRefreshToken: async (text: string) => refreshTokens.get(text),
  getAuthorizationCode: async (text: string) => codes.get(text),
  revokeAuthorizationCode: async ({ authorizationCode }: { authorizationCode: string }) =>
    codes.delete(authorizationCode),
  revokeToken: async ({ refreshToken }: Token) => refreshTokens.delete(refreshToken),
  saveToken: async (token: Token, client: unknown, user: unknown) => {
    const record = { ...token, client, user };
    accessTokens.set(token.accessToken, record);
    refreshTokens.set(token.refreshToken, record);
    return record;
  },
  verifyScope: async ({ scope }: Token, needed: string[]) => needed.every((one) => scope.includes(one)),
};
const oauth = new OAuth2Server({ model });

createServer(async (incoming, answer) => {
  const [path, query = ''] = (incoming.url as string).split('?');
  const request = new OAuth2Server.Request({
    method: incoming.method,
    headers: incoming.headers,
    query: parse(query),
    body: incoming.method === 'POST' ? parse(await text(incoming)) : {},
  });
  const response = new OAuth2Server.Response({});
  try {
    if (path === '/me') {
      const { user } = await oauth.authenticate(request, response, { scope: ['profile:read'] });
      response.body = { id: user.id, ...member(user.id) };
    } else if (path === '/token') await oauth.token(request, response);
    else response.status = 404;
  } catch (error) {
    const { code, name, message } = error as { code: number; name: string; message: string };
    response.status = code;
    response.body = { error: name, error_description: message };
  }
  reply(answer, response);
}).listen(port, '127.0.0.1');

serveSeeds(
  {
    async code(_, scope, member) {
      const authorizationCode = secret();
      codes.set(authorizationCode, {
        authorizationCode,
        expiresAt: inSeconds(600),
        redirectUri: CALLBACK,
        scope,
        codeChallenge: CHALLENGE,
        codeChallengeMethod: 'S256',
        client,
        user: { id: member },
      });
      return authorizationCode;
    },
    async signIn(_, scope, member) {
      const token = {
        accessToken: secret(),
        accessTokenExpiresAt: inSeconds(3600),
        refreshToken: secret(),
        refreshTokenExpiresAt: inSeconds(1_209_600),
        scope,
      };
      await model.saveToken(token, client, { id: member });
      return { access: token.accessToken, refresh: token.refreshToken };
    },
  },
  seedPort as number,
);

function reply(
  answer: ServerResponse<IncomingMessage>,
  response: InstanceType<typeof OAuth2Server.Response>,
) {
  const body = Buffer.from(JSON.stringify(response.body));
  answer.writeHead(response.status as number, {
    ...response.headers,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  });
  answer.end(body);
}

/** Generate a secret as the library does. */
function secret(): string {
  return randomBytes(32).toString('hex');
}

function inSeconds(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}
