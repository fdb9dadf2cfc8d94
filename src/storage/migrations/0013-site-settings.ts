// The settings that operators change on a page.

import type { Migration } from './migration.ts';

export const siteSettings: Migration = {
  name: '0013-site-settings',
  up(dialect) {
    return [
      'CREATE TABLE site_settings (name text PRIMARY KEY, value text NOT NULL)',
      ...(dialect === 'sqlite' ? ['INSERT', 'UPDATE', 'DELETE'].map(noteOf) : []),
    ];
  },
};

// Processes cache the settings, and drop them when one changes.
function noteOf(act: string): string {
  return `CREATE TRIGGER note_site_settings_${act.toLowerCase()} AFTER ${act} ON site_settings
    BEGIN INSERT INTO changes (kind, key) VALUES ('all', NULL); END`;
}
