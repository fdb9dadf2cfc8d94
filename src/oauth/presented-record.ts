// The record that a request names, read while the application that sent it is still being looked up.

import { begun } from '../lib/awaitable.ts';
import type { PresentedToken } from './token.ts';

/** A credential that a request presents, with the record that has its key. */
export interface Presented<R> {
  /** Undefined if the text is not well-formed. */
  token: PresentedToken | undefined;
  /** Belongs to any application. */
  record: Promise<R | undefined>;
}

/** Begin to read the record of a credential. */
export function presented<R>(
  token: PresentedToken | undefined,
  read: (token: PresentedToken) => Promise<R | undefined>,
): Presented<R> {
  return { token, record: token === undefined ? Promise.resolve(undefined) : begun(read(token)) };
}
