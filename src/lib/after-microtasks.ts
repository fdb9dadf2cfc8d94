// When the work that begins now has come to an end, or waits for another turn of the event loop.

/** Call back when no microtask is left: a tick that a microtask asks for comes then. */
export function afterMicrotasks(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}
