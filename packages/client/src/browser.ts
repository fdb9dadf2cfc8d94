// For pages without a server: the tokens are in IndexedDB, shared by all tabs, which refresh one at a time.

import type { PorticoApplication } from './application.ts';
import { PorticoError } from './errors.ts';
import type { SignInAttempt, SignInOptions } from './protocol.ts';
import type { Session } from './session.ts';
import type { SavedTokens, TokenStore } from './store.ts';

const ATTEMPT = 'portico.attempt';
const DATABASE = 'portico-client';
const TOKENS = 'tokens';

/**
 * Keep the tokens in IndexedDB under this name. Every script on the page's origin can read them. Not in localStorage:
 * a tab that has just got the lock may still see there what was before another tab's last write.
 */
export function browserStore(name = 'tokens'): TokenStore {
  return {
    load: () => inTransaction<SavedTokens | undefined>('readonly', (tokens) => tokens.get(name)),
    save: async (newTokens) =>
      void (await inTransaction('readwrite', (tokens) => tokens.put(newTokens, name))),
    remove: () => inTransaction('readwrite', (tokens) => tokens.delete(name)),
    async lock(work) {
      if (navigator.locks === undefined) {
        throw new PorticoError('wrong_settings', 'This page has no Web Locks. Serve it over https.');
      }
      // The browser releases the lock when the tab closes.
      return navigator.locks.request(`${DATABASE}.${name}`, work);
    },
  };
}

/** Leave the page to sign the member in. */
export async function leaveToSignIn(
  application: PorticoApplication,
  options: SignInOptions = {},
): Promise<void> {
  const { url, attempt } = await application.beginSignIn(options);
  // A tab has its own sessionStorage, so two tabs can sign in at the same time.
  sessionStorage.setItem(ATTEMPT, JSON.stringify(attempt));
  location.assign(url);
}

/**
 * Return the session of this page: after a sign-in the new one, otherwise the one in the store. Undefined if nobody is
 * signed in. Call it once, when the page opens.
 */
export async function sessionOfPage(
  application: PorticoApplication,
  store: TokenStore,
): Promise<Session | undefined> {
  const text = sessionStorage.getItem(ATTEMPT);
  const callback = new URL(location.href);
  if (text !== null && callback.searchParams.has('state')) {
    sessionStorage.removeItem(ATTEMPT);
    // Before anything else, so that the code is in no history and a reload doesn't send it again.
    history.replaceState(null, '', location.pathname);
    return application.finishSignIn(callback, JSON.parse(text) as SignInAttempt, store);
  }
  const session = application.session(store);
  return (await session.isSignedIn()) ? session : undefined;
}

async function inTransaction<T>(
  mode: IDBTransactionMode,
  act: (tokens: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await openDatabase();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(TOKENS, mode, { durability: 'strict' });
      const request = act(transaction.objectStore(TOKENS));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TOKENS);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
