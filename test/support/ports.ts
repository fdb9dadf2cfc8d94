// A store as the two ports of a room's context.

/** The reads and the writes of a room, both by one store. */
export function portsOf<S>(store: S): { reads: S; writes: S } {
  return { reads: store, writes: store };
}
