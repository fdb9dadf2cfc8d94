// A step of the schema. A new migration only adds to the schema, since released ones never change.

import type { Dialect } from '../engine/sql.ts';

export interface Migration {
  name: string;
  up(dialect: Dialect): string[];
}
