// A step of the schema. A released migration never changes, and a new one only adds.

import type { Dialect } from '../engine/sql.ts';

export interface Migration {
  name: string;
  up(dialect: Dialect): string[];
}
