// The state of one import, which the import of every kind of record needs.

import type { Doer } from '../audit/doer.ts';
import type { Destination } from './destination.ts';
import type { Authors } from './records/authors.ts';
import type { Report } from './report.ts';

export interface ImportOptions {
  by: Doer;
  /** Imported records are remembered under this name. */
  source: string;
  /** The format of the file, for the audit log. */
  format: string;
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
