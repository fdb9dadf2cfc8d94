// What all modules of a plan share: the program at an https address, the suite's own server, and a member.

import type { App } from '../support/app.ts';
import { person } from '../support/people.ts';
import { type Callbacks, openCallbacks } from './callbacks.ts';
import { openHttpsApp } from './https-front.ts';

export interface Suite {
  app: App;
  callbacks: Callbacks;
  /** The member who signs in. */
  username: string;
  close(): Promise<void>;
}

export async function openSuite(): Promise<Suite> {
  const app = await openHttpsApp();
  const callbacks = await openCallbacks();
  const { username } = await person(app.portico, 'alice');
  return {
    app,
    callbacks,
    username,
    async close() {
      await callbacks.close();
      await app.close();
    },
  };
}
