// An answer that is open until a test ends it.

import { EventEmitter } from 'node:events';
import type { Answer } from '../../src/http/under-way.ts';

export class StillOpen extends EventEmitter implements Answer {
  headersSent = false;
  req = { complete: true, destroyed: false, readableFlowing: null };
  readonly #end = Promise.withResolvers<void>();
  readonly work = this.#end.promise;

  finish(): void {
    this.#end.resolve();
    this.emit('close');
  }

  close(): void {
    this.emit('close');
  }
}
