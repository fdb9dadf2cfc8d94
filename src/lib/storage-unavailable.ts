// The one failure of storage that callers meet: not now.

/** The database can't be reached or can't write. The caller may try again later; nothing was changed. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is not available.', { cause });
    this.name = 'StorageUnavailable';
  }
}
