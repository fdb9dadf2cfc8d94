// Answers that may be at hand: what need not be waited for is gone on with in the same turn.

/** A value, or the promise of one. Where the value is at hand, a failure is thrown at once instead of rejected. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on with a value: at once if it is there, else when it comes. */
export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Both values, as one: should either fail to come, the other one's failure is not left unheard. */
export function both<A, B>(a: Awaitable<A>, b: Awaitable<B>): Awaitable<[A, B]> {
  return a instanceof Promise || b instanceof Promise ? Promise.all([a, b]) : [a, b];
}
