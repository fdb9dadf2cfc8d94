// Remembering the addresses that records had at their source, also for records that an earlier run imported.

import { storedAddress } from '../../community/old-address.ts';
import type { ImportRun } from '../import-run.ts';
import type { FileEntry, ImportRecord } from '../record.ts';

export async function importOldAddresses(run: ImportRun, batch: readonly FileEntry[]): Promise<void> {
  const { writes, source, categoryIds } = run;
  for (const kind of ['member', 'post', 'comment'] as const) {
    const records = batch.filter((entry): entry is ImportRecord => entry.kind === kind);
    const addresses = records.flatMap((record) =>
      addressesOf(record).map((address) => ({ externalId: record.id, address })),
    );
    if (addresses.length > 0) await writes.addOldAddresses(source, kind, addresses);
  }
  const ofCategories = batch.flatMap((entry) => {
    const categoryId = entry.kind === 'category' ? categoryIds.get(entry.name) : undefined;
    if (entry.kind !== 'category' || typeof categoryId !== 'number') return [];
    return addressesOf(entry).map((address) => ({ categoryId, address }));
  });
  if (ofCategories.length > 0) await writes.addOldAddressesOfCategories(ofCategories);
}

function addressesOf({ addresses = [] }: ImportRecord): string[] {
  return addresses.flatMap((address) => storedAddress(address) ?? []);
}
