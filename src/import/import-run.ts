// The state of one import, shared by the imports of all kinds of records.

import type { Doer } from '../audit/doer.ts';
import type { Destination } from './destination.ts';
import type { Authors } from './records/authors.ts';
import type { Report } from './report.ts';

export interface ImportOptions {
  by: Doer;
  /** Imported records are remembered under this name. */
  source: string;
  /** The address of the old site, if it is known. */
  site?: string | undefined;
  /** The format of the file, for the audit log. */
  format: string;
  /** The usernames here of members who have an account here already, by their usernames at the source. */
  existingMembers: ReadonlyMap<string, string>;
  report: Report;
}

export interface ImportRun extends Destination, ImportOptions {
  isForeign: boolean;
  authors: Authors;
  /** The ids of categories by their names in the file, or why there is none with that name. */
  categoryIds: Map<string, number | 'name' | 'too_many'>;
}
