// Wraps a SiteStore in another SiteStore that answers from memory, since every page needs the settings.

import type { SiteStore } from '../../site/site.ts';
import type { Cache } from './cache.ts';

export function cachedSiteStore(store: SiteStore, cache: Cache): SiteStore {
  const { settings } = cache.records;
  return {
    ...store,
    storedSettings() {
      return cache.readKept(settings, 'all', () => store.storedSettings());
    },
  };
}
