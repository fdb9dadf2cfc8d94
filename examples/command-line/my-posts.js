// A program for the terminal: `node my-posts.js` lists one's own posts, and `node my-posts.js sign-out` signs out.
// The first run opens the browser to sign in. It comes back to a server that this program starts on the same machine.

import { on, once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PorticoApplication, PorticoError } from 'portico-client';
import { fileStore } from 'portico-client/node';

const { ISSUER, CLIENT_ID, CALLBACK = 'http://127.0.0.1:8400/callback', TOKENS } = process.env;

const application = new PorticoApplication({
  issuer: ISSUER,
  clientId: CLIENT_ID,
  redirectUri: CALLBACK,
  scope: 'profile:read posts:read',
});
const folder = TOKENS ?? join(homedir(), '.config/my-posts');
await mkdir(folder, { recursive: true, mode: 0o700 });
const store = fileStore(join(folder, 'tokens.json'));

try {
  if (process.argv[2] === 'sign-out') await application.session(store).signOut();
  else await listPosts();
} catch (error) {
  if (!(error instanceof PorticoError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function listPosts() {
  const saved = application.session(store);
  const member = (await saved.isSignedIn()) ? saved : await signIn();
  const { username } = await member.me();
  console.log(`The posts of ${username}:`);
  for await (const { createdAt, title } of member.posts()) {
    console.log(`${createdAt.toISOString().slice(0, 10)}  ${title}`);
  }
}

async function signIn() {
  const { url, attempt } = await application.beginSignIn();
  const { hostname, port, pathname } = new URL(CALLBACK);
  const server = createServer().listen(Number(port), hostname);
  await once(server, 'listening');
  console.log(`Open this address to sign in:\n${url}`);
  try {
    for await (const [request, response] of on(server, 'request')) {
      const [path, query] = request.url.split('?');
      // Browsers ask for an icon, too, and any page can send them here. Only the answer to this sign-in has its state.
      if (path !== pathname || new URLSearchParams(query).get('state') !== attempt.state) {
        response.writeHead(404).end();
        continue;
      }
      response
        .setHeader('Content-Type', 'text/plain')
        .end('You can close this window and go back to the terminal.');
      return await application.finishSignIn(`${CALLBACK}?${query}`, attempt, store);
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
