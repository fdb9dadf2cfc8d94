// Shortcuts: / leads to the search, j and k to the next and the previous entry of a list, ? to the list of the keys. Not
// while typing, and not with other keys held down, which are the browser's.
const SEARCH = 'main [role="search"] input[type="search"], header .quick-search input';
const ENTRIES = 'main article.post h2 a, main .found > li > a, main .notifications a.what, main tbody th a';

function visible(selector) {
  return [...document.querySelectorAll(selector)].filter((element) => element.getClientRects().length > 0);
}

function search() {
  const [field] = visible(SEARCH);
  if (field === undefined) location.assign('/search');
  field?.focus();
  field?.select();
}

function walk(step) {
  const entries = visible(ENTRIES);
  // Before anything is chosen, j leads to the first entry and k to none.
  const entry = entries[entries.indexOf(document.activeElement) + step];
  entry?.focus({ preventScroll: true });
  entry?.scrollIntoView({ block: 'center' });
}

const KEYS = new Map([
  ['/', search],
  ['j', () => walk(1)],
  ['k', () => walk(-1)],
  ['?', () => location.assign('/keys')],
]);

document.addEventListener('keydown', (event) => {
  const act = KEYS.get(event.key);
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]') != null;
  if (act === undefined || isTyping || event.isComposing || event.defaultPrevented) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
});
