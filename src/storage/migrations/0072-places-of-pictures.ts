// Pictures by where their bytes are, so that moving them reads no others: the column is behind the bytes.

import type { Migration } from './migration.ts';

export const placesOfPictures: Migration = {
  name: '0072-places-of-pictures',
  up: () => ['CREATE INDEX pictures_by_place ON pictures (is_file, id)'],
};
