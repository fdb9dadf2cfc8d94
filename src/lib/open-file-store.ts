// Opens a store of files.

import type { FileStore } from './file-store.ts';
import { folderStore } from './folder-store.ts';
import { type S3Keys, type S3Location, s3Store } from './s3-store.ts';

/** Where files are kept. */
export type FilesLocation = { kind: 'folder'; path: string } | ({ kind: 's3' } & S3Location & S3Keys);

/** Open the store at a location. Nothing is checked yet. */
export function openFileStore(location: FilesLocation): FileStore {
  return location.kind === 'folder' ? folderStore(location.path) : s3Store(location, location);
}
