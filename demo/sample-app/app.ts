// A small application that signs people in through Portico and shows what it may read. Its sessions are in memory.

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { signedInPage, signedOutPage } from './pages.ts';
import {
  type Attempt,
  type Claims,
  Portico,
  type Registration,
  SignInFailed,
  type Tokens,
} from './portico.ts';

interface Session {
  attempt?: Attempt | undefined;
  signedIn?: { claims: Claims; tokens: Tokens } | undefined;
}

const COOKIE = 'sample_session';

/** The application as a server that does not listen yet. */
export function sampleApp(registration: Registration): Server {
  const portico = new Portico(registration);
  const sessions = new Map<string, Session>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', registration.redirectUri);
    const session = sessionOf(request, response);
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /':
        return show(response, 200, await home(session));
      case 'GET /sign-in': {
        const { address, attempt } = await portico.begin();
        session.attempt = attempt;
        return redirect(response, address);
      }
      case 'GET /callback': {
        const { attempt } = session;
        // Each attempt is used once.
        session.attempt = undefined;
        if (attempt === undefined) throw new SignInFailed('No sign-in is in progress. Please sign in again.');
        session.signedIn = await portico.finish(url.searchParams, attempt);
        return redirect(response, '/');
      }
      case 'POST /refresh': {
        const { signedIn } = session;
        if (signedIn !== undefined) signedIn.tokens = await portico.refresh(signedIn.tokens);
        return redirect(response, '/');
      }
      case 'POST /sign-out': {
        const { signedIn } = session;
        session.signedIn = undefined;
        if (signedIn !== undefined) await portico.revoke(signedIn.tokens);
        return redirect(response, '/');
      }
      default:
        return show(response, 404, signedOutPage('Page not found.'));
    }
  }

  async function home({ signedIn }: Session): Promise<string> {
    if (signedIn === undefined) return signedOutPage();
    const { claims, tokens } = signedIn;
    const [me, posts] = await Promise.all([portico.read('/me', tokens), portico.read('/me/posts', tokens)]);
    return signedInPage(claims, tokens, me, posts);
  }

  function sessionOf(request: IncomingMessage, response: ServerResponse): Session {
    const id = new RegExp(`${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1] ?? '';
    const session = sessions.get(id);
    if (session !== undefined) return session;
    const newSession: Session = {};
    const newId = randomBytes(24).toString('base64url');
    sessions.set(newId, newSession);
    // Lax: the browser sends it when the community redirects back, but not with another site's form.
    response.setHeader('Set-Cookie', `${COOKIE}=${newId}; HttpOnly; SameSite=Lax; Path=/`);
    return newSession;
  }

  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof SignInFailed ? error.message : 'The community is not responding.';
      show(response, 400, signedOutPage(message));
    });
  });
}

function show(response: ServerResponse, status: number, html: string): void {
  response
    .writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' })
    .end(html);
}

function redirect(response: ServerResponse, address: string): void {
  response.writeHead(303, { Location: address }).end();
}
