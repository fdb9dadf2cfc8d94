// A server that signs members in, and shows what it may read. Its sessions are in memory; a real application keeps
// them, and the tokens, in its database.

import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { memoryStore, PorticoApplication, PorticoError } from 'portico-client';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, ORIGIN = 'http://127.0.0.1:4000' } = process.env;

const portico = new PorticoApplication({
  issuer: ISSUER,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  redirectUri: `${ORIGIN}/callback`,
  scope: 'openid profile:read posts:read',
});

/** By the value of the cookie: `attempt` during a sign-in, `member` after it. */
const sessions = new Map();

const app = new Hono();

app.get('/', async (c) => {
  const { member } = sessionOf(c);
  if (member === undefined) return c.html(signedOutPage());
  const [claims, profile, posts] = await Promise.all([member.claims(), member.me(), member.postPage()]);
  return c.html(signedInPage(claims, profile, posts));
});

app.get('/sign-in', async (c) => {
  const { url, attempt } = await portico.beginSignIn();
  startSession(c, { attempt });
  return c.redirect(url, 303);
});

app.get('/callback', async (c) => {
  const { attempt } = sessionOf(c);
  // Any site can send the browser here, which must not sign the member out.
  if (attempt === undefined)
    return c.html(signedOutPage('No sign-in is in progress. Please sign in again.'), 400);
  // Each attempt is used once.
  sessions.delete(getCookie(c, 'session'));
  const { search } = new URL(c.req.url);
  const member = await portico.finishSignIn(`${ORIGIN}/callback${search}`, attempt, memoryStore());
  // Under a new name, so that nobody who knew the cookie before is signed in too.
  startSession(c, { member });
  return c.redirect('/', 303);
});

app.post('/sign-out', async (c) => {
  const { member } = sessionOf(c);
  sessions.delete(getCookie(c, 'session'));
  await member?.signOut();
  return c.redirect('/', 303);
});

app.onError((error, c) => {
  if (!(error instanceof PorticoError)) throw error;
  // The sign-in has ended here too, and the member can begin another one.
  if (error.reason === 'sign_in_again') sessions.delete(getCookie(c, 'session'));
  return c.html(signedOutPage(error.message), 400);
});

function sessionOf(c) {
  return sessions.get(getCookie(c, 'session')) ?? {};
}

function startSession(c, session) {
  const id = randomUUID();
  sessions.set(id, session);
  // Lax: the browser sends it when the community redirects back, but not with another site's form.
  setCookie(c, 'session', id, { httpOnly: true, sameSite: 'Lax', secure: ORIGIN.startsWith('https:') });
}

function signedOutPage(message = '') {
  return page(html`
    <p>This application has no accounts of its own. It asks the community who you are.</p>
    ${message === '' ? '' : html`<p role="alert">${message}</p>`}
    <p><a href="/sign-in">Sign in with the community</a></p>`);
}

function signedInPage(claims, profile, { items, totalElements }) {
  return page(html`
    <p>You are <strong>${profile.username}</strong>, member ${claims.sub}, since ${profile.createdAt.toDateString()}.</p>
    <form method="post" action="/sign-out"><button>Sign out</button></form>
    <h2>Your ${totalElements} posts</h2>
    <ul>${items.map(({ title, url }) => html`<li><a href="${url}">${title}</a></li>`)}</ul>`);
}

function page(content) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Sample application</title>
        <style>
          :root { color-scheme: light dark; font: 1rem/1.5 system-ui }
          body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
        </style>
      </head>
      <body>
        <h1>Sample application</h1>
        ${content}
      </body>
    </html>`;
}

const { hostname, port } = new URL(ORIGIN);
serve({ fetch: app.fetch, hostname, port: Number(port) }, () => console.log(`Open ${ORIGIN}`));
