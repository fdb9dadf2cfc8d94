// The port of the import in SQL.

import type { ImportStore } from '../../import/store.ts';
import { entry, NO_ENTRY, OF_IMPORT } from '../audit/audit-trail.ts';
import { categoryRows, ensureCategory } from '../community/categories.ts';
import type { Database } from '../engine/database.ts';
import { identityStore } from '../identity/identity-store.ts';
import { importedAddresses } from './imported-addresses.ts';
import { importedContent } from './imported-content.ts';
import { importedPictures } from './imported-pictures.ts';

export function importStore(database: Database): ImportStore {
  const { findUserByAnyName, findUserByEmail } = identityStore(database);
  const { categories } = categoryRows(database);
  return {
    ...importedContent(database),
    ...importedPictures(database),
    // A file that was written before a member was renamed has the earlier username.
    ...importedAddresses(database),
    findUserByName: findUserByAnyName,
    findUserByEmail,
    categories,
    async beginImport(by, { source, format }) {
      const subject = { kind: 'import', id: source } as const;
      const { entries } = entry(by, { action: 'import', subject, detail: { source, format } });
      // The entry is the only row of this transaction, so it is the guard.
      for (const guard of entries) await database.atomically({ audit: NO_ENTRY, guard });
    },
    ensureImportedCategory: (slug, name, most) => ensureCategory(database, { slug, name, most }, OF_IMPORT),
  };
}
