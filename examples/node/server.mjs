// A server for Node without any library: it signs members in, and shows what it may read. Its sessions are in memory.
// It doesn't refresh: after an hour the member signs in again, which takes one redirect and no consent.

import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, ORIGIN = 'http://127.0.0.1:4000' } = process.env;
const CALLBACK = `${ORIGIN}/callback`;
const SECURE = ORIGIN.startsWith('https:') ? '; Secure' : '';
const HOUR = 60 * 60 * 1000;

/** By the value of the cookie: `state` and `verifier` during a sign-in, `tokens` after it. */
const sessions = new Map();

const PAGES = {
  'GET /': home,
  'GET /sign-in': signIn,
  'GET /callback': finishSignIn,
  'POST /sign-out': signOut,
};

async function home(session) {
  if (session.tokens === undefined) return signedOutPage();
  const [profile, posts] = await Promise.all(['/me', '/me/posts'].map((path) => read(path, session.tokens)));
  const titles = posts.items.map(
    ({ title, url }) => `<li><a href="${escaped(url)}">${escaped(title)}</a></li>`,
  );
  return page(`
    <p>You are <strong>${escaped(profile.username)}</strong>, member ${profile.id}.</p>
    <form method="post" action="/sign-out"><button>Sign out</button></form>
    <h2>Your ${posts.totalElements} posts</h2>
    <ul>${titles.join('')}</ul>`);
}

function signIn({ tokens }) {
  const [state, verifier] = [randomText(), randomText()];
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: CALLBACK,
    scope: 'profile:read posts:read',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { to: `${ISSUER}/oauth/authorize?${request}`, session: { tokens, state, verifier } };
}

async function finishSignIn({ state, verifier }, answer) {
  if (state === undefined || answer.get('state') !== state || answer.get('iss') !== ISSUER) {
    throw new Error('This is not the answer to our request. Please sign in again.');
  }
  if (answer.has('error')) throw new Error(answer.get('error_description'));
  const form = { grant_type: 'authorization_code', code: answer.get('code'), redirect_uri: CALLBACK };
  const tokens = await send('/api/oauth/token', { ...form, code_verifier: verifier });
  // In a session of a new name, so that nobody who knew the cookie before is signed in too.
  return { to: '/', session: { tokens } };
}

async function signOut({ tokens }) {
  // Without a refresh token, the member allowed access for one sign-in only.
  if (tokens !== undefined)
    await send('/api/oauth/revoke', { token: tokens.refresh_token ?? tokens.access_token });
  return { to: '/', session: {} };
}

/** Send a form as this application. */
async function send(path, fields) {
  const body = new URLSearchParams({ ...fields, client_id: CLIENT_ID, client_secret: CLIENT_SECRET });
  const response = await fetch(ISSUER + path, { method: 'POST', body });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.error}: ${answer.error_description}`);
  return answer;
}

async function read(path, { access_token }) {
  const headers = { Authorization: `Bearer ${access_token}` };
  const response = await fetch(`${ISSUER}/api/open/v1${path}`, { headers });
  if (response.status === 401) throw new Error('The access is over. Please sign in again.');
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

function signedOutPage(message = '') {
  const alert = message && `<p role="alert">${escaped(message)}</p>`;
  return page(`${alert}<p><a href="/sign-in">Sign in with the community</a></p>`);
}

const page = (content) => `<!doctype html><html lang="en"><meta charset="utf-8">
  <title>Sample application</title><h1>Sample application</h1>${content}`;
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const randomText = () => randomBytes(32).toString('base64url');

const server = createServer(async (request, response) => {
  // Not with `new URL`, which throws for some addresses: an error out here ends the program.
  const [path, ...query] = request.url.split('?');
  const answer = PAGES[`${request.method} ${path}`];
  const [, cookie] = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '') ?? [];
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  try {
    const fields = new URLSearchParams(query.join('?'));
    const result = answer === undefined ? page('') : await answer(sessions.get(cookie) ?? {}, fields);
    if (typeof result === 'string') return response.writeHead(answer ? 200 : 404).end(result);
    sessions.delete(cookie);
    const name = randomText();
    sessions.set(name, result.session);
    setTimeout(() => sessions.delete(name), HOUR).unref();
    // Lax: the browser sends it when the community redirects back, but not with another site's form.
    response.setHeader('Set-Cookie', `session=${name}; Path=/; HttpOnly; SameSite=Lax${SECURE}`);
    response.writeHead(303, { Location: result.to }).end();
  } catch (error) {
    // Any site can send the browser to /callback, which must not sign the member out.
    if (path === '/') sessions.delete(cookie);
    response.writeHead(400).end(signedOutPage(error.message));
  }
});

server.listen(new URL(ORIGIN).port, '127.0.0.1', () => console.log(`Open ${ORIGIN}`));
