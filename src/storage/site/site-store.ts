// The port of src/site in SQL: a row for each setting that operators have changed, for each text that they have
// written, and for the logo. The drawings are in a file of their own.

import type { Doer } from '../../audit/doer.ts';
import type { SettingName } from '../../site/settings.ts';
import type { SiteStore } from '../../site/site.ts';
import type { TextLanguage, TextName } from '../../site/text-names.ts';
import { entry } from '../audit/audit-trail.ts';
import type { AuditTrail, Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { drawingRows } from './drawings.ts';

// The list of links can be long, and is on the pages.
const MOST_AUDITED = 200;

export function siteStore(database: Database): SiteStore {
  return {
    ...drawingRows(database),
    async storedSettings() {
      const rows = await database.rows(selectSettings());
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
    },
    async saveSettings(by, settings) {
      const [first, ...others] = Object.entries(settings).map(([name, value]) => ({ name, value }));
      if (first === undefined) return;
      await database.atomically({
        audit: { entries: [first, ...others].flatMap((setting) => changeOf(by, setting).entries) },
        guard: upsertSetting(first),
        effects: others.map(upsertSetting),
      });
    },
    async texts(name) {
      const rows = await database.rows(selectTexts({ name }));
      return { en: '', zh: '', ...Object.fromEntries(rows.map(({ language, body }) => [language, body])) };
    },
    async saveTexts(by, name, texts) {
      const rows = Object.entries(texts).map(([language, body]) => ({ name, language, body }));
      const written = rows.filter(({ body }) => body !== '');
      const setting = { name, value: written.map(({ language }) => language).join(' ') };
      await database.atomically({
        audit: changeOf(by, setting),
        guard: upsertSetting(setting),
        effects: rows.map(upsertText),
      });
    },
    findLogo: async (version) => (await database.first(selectLogo({ version })))?.image,
    async saveLogo(by, version, image) {
      const setting = { name: 'logo', value: version };
      await database.atomically({
        audit: changeOf(by, setting),
        guard: upsertSetting(setting),
        effects: [upsertLogo({ version, image })],
      });
    },
    async removeLogo(by) {
      const setting = { name: 'logo', value: '' };
      await database.atomically({
        audit: changeOf(by, setting),
        guard: upsertSetting(setting),
        effects: [deleteLogo()],
      });
    },
  };
}

function changeOf(by: Doer, { name, value }: { name: string; value: string }): AuditTrail {
  return entry(by, {
    action: 'setting.change',
    subject: { kind: 'setting', id: name },
    detail: value.length > MOST_AUDITED ? {} : { value },
  });
}

const selectSettings = sql<void, { name: SettingName; value: string }>`
  SELECT name, value FROM site_settings`;

const upsertSetting = sql<{ name: string; value: string }>`
  INSERT INTO site_settings (name, value) VALUES (:name, :value)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

const selectTexts = sql<{ name: TextName }, { language: TextLanguage; body: string }>`
  SELECT language, body FROM site_texts WHERE name = :name`;

const upsertText = sql<{ name: TextName; language: string; body: string }>`
  INSERT INTO site_texts (name, language, body) VALUES (:name, :language, :body)
  ON CONFLICT (name, language) DO UPDATE SET body = excluded.body`;

const selectLogo = sql<{ version: string }, { image: Uint8Array }>`
  SELECT image FROM site_pictures WHERE name = 'logo' AND version = :version`;

const upsertLogo = sql<{ version: string; image: Uint8Array }>`
  INSERT INTO site_pictures (name, version, image) VALUES ('logo', :version, :image)
  ON CONFLICT (name) DO UPDATE SET version = excluded.version, image = excluded.image`;

const deleteLogo = sql<void>`DELETE FROM site_pictures WHERE name = 'logo'`;
