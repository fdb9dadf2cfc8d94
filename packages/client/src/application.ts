// An application that is registered at a community.

import { Protocol, type SignInAttempt, type SignInOptions } from './protocol.ts';
import { Session } from './session.ts';
import { type ApplicationSettings, type Server, serverOf } from './settings.ts';
import type { TokenStore } from './store.ts';

export class PorticoApplication {
  private readonly server: Server;
  private readonly protocol: Protocol;

  constructor(settings: ApplicationSettings) {
    this.server = serverOf(settings);
    this.protocol = new Protocol(settings, this.server);
  }

  /**
   * Begin a sign-in. Redirect the member to `url`, and keep `attempt` where only this member's browser can reach it,
   * such as in its session on your server.
   */
  beginSignIn(options: SignInOptions = {}): Promise<{ url: string; attempt: SignInAttempt }> {
    return this.protocol.begin(options);
  }

  /**
   * Finish a sign-in: `callback` is the whole address at which the member came back. The tokens are in the store when
   * this returns. Use each attempt once.
   */
  async finishSignIn(callback: string | URL, attempt: SignInAttempt, store: TokenStore): Promise<Session> {
    const tokens = await this.protocol.redeem(new URL(callback), attempt);
    await store.lock(async () => store.save(tokens));
    return this.session(store);
  }

  /** Continue a sign-in whose tokens are in the store. */
  session(store: TokenStore): Session {
    return new Session(this.server, this.protocol, store);
  }
}
