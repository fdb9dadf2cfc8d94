// The one failure of storage that callers handle.

/** The database can't be reached or can't write. Nothing was changed; the caller may try again later. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is not available.', { cause });
    this.name = 'StorageUnavailable';
  }
}
