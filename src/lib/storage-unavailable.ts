// The failures of storage that callers handle.

/** A read took longer than it may. Nothing is wrong with the database. */
export class ReadTooSlow extends Error {
  constructor(cause: unknown) {
    super('The read took too long.', { cause });
    this.name = 'ReadTooSlow';
  }
}

/** The database can't be reached or can't write. Nothing was changed; the caller may try again later. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is not available.', { cause });
    this.name = 'StorageUnavailable';
  }
}
