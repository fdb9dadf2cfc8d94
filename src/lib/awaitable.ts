// Values that may be ready already. A ready value is used synchronously, since waiting for a promise would
// cost as much as all the checks of an API call.

/**
 * A value, or the promise of one. A function that returns a value throws its failures instead of rejecting.
 */
export type Awaitable<T> = T | Promise<T>;

/** Continue with a value: at once if it is ready, otherwise when it arrives. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Join two values. If both promises fail, neither failure stays unhandled. */
export function both<A, B>(a: Awaitable<A>, b: Awaitable<B>): Awaitable<[A, B]> {
  return a instanceof Promise || b instanceof Promise ? Promise.all([a, b]) : [a, b];
}

/** Begin work whose result is needed later, or not at all. Its failure counts only for whoever waits for it. */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
