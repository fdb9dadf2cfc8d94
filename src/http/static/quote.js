// Quotes selected words of a post in the comment below it, and those of a comment in a reply. Without this script the
// page of a reply has a button that quotes the comment.
(() => {
  const KEY = 'quotation';
  const MOST_CHARACTERS = 1000;
  const PAUSE = 200;

  function quotationOf(text) {
    // The words are plain text, so that signs of Markdown are signs, and nobody is mentioned.
    const shown = text.replaceAll(/[\\`*[\]<@]/g, '\\$&');
    return shown
      .split(/\n+/)
      .map((line) => `> ${line.trim()}`)
      .join('\n>\n');
  }

  function insert(area, text) {
    const before = area.value.trimEnd();
    const added = `${before === '' ? '' : '\n\n'}${quotationOf(text)}\n\n`;
    area.focus();
    area.setSelectionRange(before.length, area.value.length);
    if (!document.execCommand('insertText', false, added)) {
      area.setRangeText(added, before.length, area.value.length, 'end');
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }
    area.scrollIntoView({ block: 'center' });
  }

  // On the page of a reply: the words that were selected on the page before.
  function insertKept(area) {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    if (text !== null) insert(area, text);
  }

  function selected() {
    const selection = getSelection();
    if (selection.isCollapsed || selection.rangeCount === 0) return undefined;
    const partOf = (node) => (node?.closest ? node : node?.parentElement)?.closest('.e-content');
    const part = partOf(selection.anchorNode);
    const text = selection.toString().trim();
    if (!part || part !== partOf(selection.focusNode) || text === '') return undefined;
    return { part, text, place: selection.getRangeAt(0).getBoundingClientRect() };
  }

  function offerQuotes(box) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quote';
    button.textContent = box.dataset.quote;
    button.hidden = true;
    document.body.append(button);
    let found;
    let timer;

    function show() {
      found = selected();
      button.hidden = found === undefined;
      if (found === undefined) return;
      const { bottom, left } = found.place;
      const most = document.documentElement.clientWidth - button.offsetWidth - 8;
      button.style.top = `${scrollY + bottom + 8}px`;
      button.style.left = `${Math.max(8, Math.min(left, most))}px`;
    }

    function quote() {
      const { part, text } = found;
      const short =
        [...text].length > MOST_CHARACTERS ? `${[...text].slice(0, MOST_CHARACTERS).join('')}…` : text;
      const reply = part.closest('.comment')?.querySelector(':scope > .links a[href$="/reply"]');
      button.hidden = true;
      getSelection().removeAllRanges();
      if (reply == null) {
        insert(box.querySelector('textarea'), short);
        return;
      }
      sessionStorage.setItem(KEY, short);
      location.assign(reply.href);
    }

    document.addEventListener('selectionchange', () => {
      clearTimeout(timer);
      timer = setTimeout(show, PAUSE);
    });
    // A press would end the selection.
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', quote);
  }

  const box = document.querySelector('[data-quote]');
  if (box !== null) offerQuotes(box);
  const reply = document.querySelector('form[action$="/reply"] textarea');
  if (reply !== null) insertKept(reply);
})();
