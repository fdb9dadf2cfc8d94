// The state of one import, which the import of every kind of record needs.

import type { Destination } from './destination.ts';
import type { Authors } from './records/authors.ts';
import type { Report } from './report.ts';

export interface ImportOptions {
  /** Imported records are remembered under this name. */
  source: string;
  /** Members of the source who have an account here already: their username here, by their username there. */
  existingMembers: ReadonlyMap<string, string>;
  report: Report;
}

export interface ImportRun extends Destination, ImportOptions {
  isForeign: boolean;
  authors: Authors;
  /** The ids of categories by their names in the file. Undefined for a name that no category can have. */
  categoryIds: Map<string, number | undefined>;
}
