// The port of src/site in SQL: a row for each setting that operators have changed.

import type { SettingName } from '../../site/settings.ts';
import type { SiteStore } from '../../site/site.ts';
import { entry } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';

// A longer text, such as a page, is not repeated in the audit log.
const MOST_AUDITED = 200;

export function siteStore(database: Database): SiteStore {
  return {
    async storedSettings() {
      const rows = await database.rows(selectSettings());
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
    },
    async saveSettings(by, settings) {
      const [first, ...others] = Object.entries(settings).map(([name, value]) => ({ name, value }));
      if (first === undefined) return;
      const audits = [first, ...others].map(({ name, value }) =>
        entry(by, {
          action: 'setting.change',
          subject: { kind: 'setting', id: name },
          detail: value.length > MOST_AUDITED ? {} : { value },
        }),
      );
      await database.atomically({
        audit: { entries: audits.flatMap(({ entries }) => entries) },
        guard: upsertSetting(first),
        effects: others.map(upsertSetting),
      });
    },
  };
}

const selectSettings = sql<void, { name: SettingName; value: string }>`
  SELECT name, value FROM site_settings`;

const upsertSetting = sql<{ name: string; value: string }>`
  INSERT INTO site_settings (name, value) VALUES (:name, :value)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
