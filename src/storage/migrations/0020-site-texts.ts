// The pages that operators write. Their languages are in the settings, so saving a text also drops the cache.

import type { Migration } from './migration.ts';

export const siteTexts: Migration = {
  name: '0020-site-texts',
  up() {
    return [
      `CREATE TABLE site_texts (
        name text NOT NULL,
        language text NOT NULL,
        body text NOT NULL,
        PRIMARY KEY (name, language)
      )`,
    ];
  },
};
