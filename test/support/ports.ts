// A store as both ports of a room.

/** Return one store as the reads and the writes of a room. */
export function portsOf<S>(store: S): { reads: S; writes: S } {
  return { reads: store, writes: store };
}
