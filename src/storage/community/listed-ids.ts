// Conditions for rows with given ids.

import { fragment } from '../engine/sql.ts';

/** Follows the name of the column. `:ids` is a JSON array. */
export const IS_LISTED = {
  sqlite: fragment`IN (SELECT value FROM json_each(:ids))`,
  postgres: fragment`= ANY (ARRAY(SELECT cast(json_array_elements_text(cast(:ids AS json)) AS bigint)))`,
};
