// The pictures of the site, such as its logo. The version is in the settings too, so saving one also drops the cache.

import type { Migration } from './migration.ts';

const bytes = { sqlite: 'blob', postgres: 'bytea' };

export const sitePictures: Migration = {
  name: '0022-site-pictures',
  up(dialect) {
    return [
      `CREATE TABLE site_pictures (
        name text PRIMARY KEY,
        version text NOT NULL,
        image ${bytes[dialect]} NOT NULL
      )`,
    ];
  },
};
