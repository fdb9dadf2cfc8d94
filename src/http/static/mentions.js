// Suggests members while a name is written behind an @. Without this script the name is typed in full.
(() => {
  // In milliseconds: the pause in typing before the server is asked.
  const PAUSE = 150;
  const BEHIND_AT = /(^|[\s([{"'“‘（「【*_~>，。、：；！？]|\p{Script=Han})@([\p{L}\p{M}\p{N}._-]{0,30})$/u;

  function setUp(area) {
    const id = `${area.id}-members`;
    const list = document.createElement('ul');
    list.id = id;
    list.className = 'suggestions card';
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', area.dataset.mentions);
    list.hidden = true;
    const status = document.createElement('p');
    status.className = 'unseen';
    status.setAttribute('role', 'status');
    area.parentElement.classList.add('suggesting');
    area.after(list, status);
    area.setAttribute('aria-autocomplete', 'list');
    area.setAttribute('aria-controls', id);

    const known = new Map();
    let members = [];
    let chosen = 0;
    let start = -1;
    let timer;

    function close() {
      clearTimeout(timer);
      members = [];
      list.hidden = true;
      status.textContent = '';
      area.removeAttribute('aria-activedescendant');
    }

    function choose(index) {
      chosen = (index + members.length) % members.length;
      for (const [at, option] of [...list.children].entries()) {
        option.setAttribute('aria-selected', String(at === chosen));
      }
      area.setAttribute('aria-activedescendant', `${id}-${chosen}`);
    }

    function insert(index) {
      const end = area.selectionStart;
      const text = `@${members[index].username} `;
      close();
      area.focus();
      area.setSelectionRange(start, end);
      if (document.execCommand('insertText', false, text)) return;
      area.setRangeText(text, start, end, 'end');
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }

    function optionOf({ username, avatar }, index) {
      const option = document.createElement('li');
      option.id = `${id}-${index}`;
      option.setAttribute('role', 'option');
      const image = new Image(28, 28);
      image.src = avatar;
      image.alt = '';
      image.className = 'avatar';
      option.append(image, username);
      // Before the text loses the focus.
      option.addEventListener('pointerdown', (event) => event.preventDefault());
      option.addEventListener('click', () => insert(index));
      return option;
    }

    function show(found) {
      members = found;
      if (members.length === 0) {
        close();
        status.textContent = area.dataset.none;
        return;
      }
      list.replaceChildren(...members.map(optionOf));
      list.hidden = false;
      place();
      list.scrollIntoView({ block: 'nearest' });
      choose(0);
      status.textContent = members.map(({ username }) => username).join(', ');
    }

    // Below the line of the @, which is found in a copy of the text in an element like the field.
    function place() {
      const copy = document.createElement('div');
      const style = getComputedStyle(area);
      for (const name of ['font', 'letterSpacing', 'lineHeight', 'padding', 'borderWidth', 'boxSizing']) {
        copy.style[name] = style[name];
      }
      Object.assign(copy.style, {
        position: 'absolute',
        visibility: 'hidden',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'break-word',
        width: `${area.clientWidth}px`,
      });
      const at = document.createElement('span');
      at.textContent = '@';
      copy.append(area.value.slice(0, start), at);
      area.after(copy);
      const left = Math.min(at.offsetLeft, area.clientWidth - list.offsetWidth);
      list.style.left = `${area.offsetLeft + Math.max(0, left)}px`;
      list.style.top = `${area.offsetTop - area.scrollTop + at.offsetTop + at.offsetHeight + 6}px`;
      copy.remove();
    }

    async function ask(prefix) {
      if (!known.has(prefix)) {
        // A redirect would lead to the sign-in page.
        const path = `/members/suggestions?q=${encodeURIComponent(prefix)}`;
        const answer = await fetch(path, { redirect: 'error' });
        if (!answer.ok) return undefined;
        known.set(prefix, await answer.json());
      }
      return known.get(prefix);
    }

    function prefixAtCaret() {
      const { selectionStart: caret, selectionEnd, value } = area;
      if (caret !== selectionEnd) return undefined;
      const [, before, prefix] = BEHIND_AT.exec(value.slice(Math.max(0, caret - 40), caret)) ?? [];
      if (before === undefined) return undefined;
      start = caret - prefix.length - 1;
      return prefix;
    }

    area.addEventListener('input', (event) => {
      clearTimeout(timer);
      const prefix = event.isComposing ? undefined : prefixAtCaret();
      if (prefix === undefined || prefix === '') {
        close();
        return;
      }
      timer = setTimeout(async () => {
        const found = await ask(prefix).catch(() => undefined);
        if (found !== undefined && prefixAtCaret() === prefix) show(found);
      }, PAUSE);
    });
    area.addEventListener('keydown', (event) => {
      if (members.length === 0 || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'ArrowDown') choose(chosen + 1);
      else if (event.key === 'ArrowUp') choose(chosen - 1);
      else if (event.key === 'Enter') insert(chosen);
      else if (event.key === 'Escape') close();
      else return;
      event.preventDefault();
    });
    area.addEventListener('blur', close);
  }

  for (const area of document.querySelectorAll('textarea[data-mentions]')) setUp(area);
})();
