// The pages of the sample application.

import type { Claims, Tokens } from './portico.ts';

export function signedOutPage(message = ''): string {
  return page(`
    <p>This application has no accounts of its own. It asks the community who you are.</p>
    ${message === '' ? '' : `<p role="alert">${escaped(message)}</p>`}
    <p><a class="button" href="/sign-in">Sign in with the community</a></p>`);
}

export function signedInPage(claims: Claims, tokens: Tokens, me: unknown, posts: unknown): string {
  const { username = '' } = me as { username?: string };
  return page(`
    <p>You are <strong>${escaped(username)}</strong>, member ${escaped(claims.sub)} of ${escaped(claims.iss)}.
      You allowed <code>${escaped(tokens.scope)}</code>.</p>
    <form method="post" action="/refresh"><button>Refresh the tokens</button></form>
    <form method="post" action="/sign-out"><button>Sign out, and revoke the tokens</button></form>
    <h2>GET /me</h2>
    ${json(me)}
    <h2>GET /me/posts</h2>
    ${json(posts)}
    <h2>The tokens</h2>
    <p>A real application never shows its tokens. This one shows how they end, so that you can see a refresh change them.</p>
    ${json({ access_token: ending(tokens.access_token), refresh_token: ending(tokens.refresh_token), expires_in: tokens.expires_in })}`);
}

function page(content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Sample application</title>
    <style>
      body { font: 1rem/1.5 system-ui; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fdfdfb }
      pre { background: #f1f1ec; padding: 1rem; overflow: auto }
      .button, button { font: inherit; padding: .4rem .9rem; border: 1px solid #555; border-radius: .3rem; background: #fff; color: #222; text-decoration: none }
      form { display: inline-block; margin-right: .5rem }
    </style>
  </head>
  <body>
    <h1>Sample application</h1>
    ${content}
  </body>
</html>`;
}

function json(value: unknown): string {
  return `<pre tabindex="0">${escaped(JSON.stringify(value, null, 2))}</pre>`;
}

function ending(token: string): string {
  return `…${token.slice(-6)}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
