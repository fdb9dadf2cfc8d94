// The toolbar over a text in Markdown, and its keys. Without this script the toolbar is not shown.
(() => {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

  // What a tool puts around the selection, or before each of its lines.
  const AROUND = { bold: '**', italic: '_' };
  const BEFORE = { heading: '## ', list: '- ', quote: '> ' };

  // As if it was typed, so that the browser can undo it.
  function replace(area, from, to, text) {
    area.focus();
    area.setSelectionRange(from, to);
    if (document.execCommand('insertText', false, text)) return;
    area.setRangeText(text, from, to, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }

  function surround(area, mark) {
    const { value, selectionStart: from, selectionEnd: to } = area;
    const { length } = mark;
    const selected = value.slice(from, to);
    const isMarked = value.slice(from - length, from) === mark && value.slice(to, to + length) === mark;
    if (isMarked && selected !== '') {
      replace(area, from - length, to + length, selected);
      area.setSelectionRange(from - length, to - length);
      return;
    }
    replace(area, from, to, mark + selected + mark);
    area.setSelectionRange(from + length, to + length);
  }

  function beginLines(area, mark) {
    const { value, selectionStart, selectionEnd } = area;
    const from = value.lastIndexOf('\n', selectionStart - 1) + 1;
    const end = value.indexOf('\n', selectionEnd);
    const to = end === -1 ? value.length : end;
    const lines = value.slice(from, to).split('\n');
    const isMarked = lines.every((line) => line.startsWith(mark));
    const text = lines.map((line) => (isMarked ? line.slice(mark.length) : mark + line)).join('\n');
    // An empty text can't be typed.
    if (text === '') area.setRangeText('', from, to, 'end');
    else replace(area, from, to, text);
    area.setSelectionRange(lines.length > 1 ? from : from + text.length, from + text.length);
  }

  function link(area) {
    const { value, selectionStart: from, selectionEnd: to } = area;
    const selected = value.slice(from, to);
    const isAddress = /^https?:\/\/\S+$/.test(selected);
    const [text, address] = isAddress ? ['', selected] : [selected, 'https://'];
    replace(area, from, to, `[${text}](${address})`);
    // What is still to be written: the text, or else the address.
    const start = text === '' ? from + 1 : from + text.length + 3;
    area.setSelectionRange(start, text === '' ? start : start + address.length);
  }

  function code(area) {
    const { value, selectionStart: from, selectionEnd: to } = area;
    const selected = value.slice(from, to);
    if (!selected.includes('\n')) {
      surround(area, '`');
      return;
    }
    const before = from === 0 || value[from - 1] === '\n' ? '' : '\n';
    const text = `${before}\`\`\`\n${selected.replace(/\n$/, '')}\n\`\`\`\n`;
    replace(area, from, to, text);
    // The language goes behind the first marks.
    const start = from + before.length + 3;
    area.setSelectionRange(start, start);
  }

  function mention(area) {
    const { value, selectionStart: from } = area;
    const space = from === 0 || /\s/.test(value[from - 1]) ? '' : ' ';
    replace(area, from, from, `${space}@`);
  }

  // A task begins unticked. The number of the next line is one higher.
  const BEGINNING = /^(\s*)(?:([-*+])|(\d{1,6})([.)])|(>))( +)(\[[ xX]\] +)?/;

  function isInCode(before) {
    return (before.match(/^\s*(```|~~~)/gm) ?? []).length % 2 === 1;
  }

  // Behind an entry of a list, a line begins with the next one; an entry without words ends the list.
  function continueList(area) {
    const { value, selectionStart: at, selectionEnd } = area;
    const start = value.lastIndexOf('\n', at - 1) + 1;
    const found = BEGINNING.exec(value.slice(start, at));
    if (found === null || at !== selectionEnd || isInCode(value.slice(0, start))) return false;
    const [mark, indent, bullet, number, sign, quote, space, task] = found;
    const end = value.indexOf('\n', at);
    if (value.slice(start + mark.length, end === -1 ? value.length : end).trim() === '') {
      area.setSelectionRange(start, at);
      document.execCommand('delete');
      return true;
    }
    const next = bullet ?? quote ?? `${Number(number) + 1}${sign}`;
    replace(area, at, at, `\n${indent}${next}${space}${task === undefined ? '' : '[ ] '}`);
    return true;
  }

  // An address that is pasted over words becomes the address of a link with these words.
  function pasteLink(area, event) {
    const { value, selectionStart: from, selectionEnd: to } = area;
    const selected = value.slice(from, to);
    const address = event.clipboardData.getData('text/plain').trim();
    if (!/^https?:\/\/[^\s<>]+$/.test(address) || selected.trim() === '') return;
    if (/[[\]\n]|:\/\//.test(selected) || isInCode(value.slice(0, from))) return;
    event.preventDefault();
    replace(area, from, to, `[${selected}](${/[()]/.test(address) ? `<${address}>` : address})`);
  }

  // Cells copied in a spreadsheet, with tabs between them.
  function tableOf(text) {
    const rows = text
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split('\t'));
    const width = rows[0].length;
    if (rows.length < 2 || width < 2 || rows.some(({ length }) => length !== width)) return undefined;
    const lines = rows.map(
      (cells) => `| ${cells.map((cell) => cell.trim().replaceAll('|', '\\|')).join(' | ')} |`,
    );
    return [lines[0], `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n');
  }

  function pasteTable(area, event) {
    const { value, selectionStart: from, selectionEnd: to } = area;
    const table = tableOf(event.clipboardData.getData('text/plain'));
    const before = value.slice(0, from);
    if (table === undefined || isInCode(before)) return;
    event.preventDefault();
    const gap = before.trim() === '' || before.endsWith('\n\n') ? '' : '\n\n';
    replace(area, from, to, `${gap}${table}\n\n`);
  }

  function use(tool, area) {
    if (tool in AROUND) surround(area, AROUND[tool]);
    else if (tool in BEFORE) beginLines(area, BEFORE[tool]);
    else if (tool === 'link') link(area);
    else if (tool === 'code') code(area);
    else if (tool === 'mention') mention(area);
  }

  // One stop for the Tab key; the arrow keys go from button to button.
  function walk(bar, event) {
    const buttons = [...bar.querySelectorAll('button')];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined || at === -1) return;
    event.preventDefault();
    const next = buttons.at(to % buttons.length);
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  }

  function setUp(bar) {
    const area = document.getElementById(bar.getAttribute('aria-controls'));
    const buttons = [...bar.querySelectorAll('button')];
    buttons.forEach((button, index) => {
      button.tabIndex = index === 0 ? 0 : -1;
      if (isMac) button.title = button.title.replace('Ctrl+', '⌘');
    });
    bar.addEventListener('click', (event) => {
      const tool = event.target.closest('button')?.dataset.tool;
      if (tool !== undefined) use(tool, area);
    });
    bar.addEventListener('keydown', (event) => walk(bar, event));
    area.addEventListener('paste', (event) => {
      pasteLink(area, event);
      pasteTable(area, event);
    });
    area.form.addEventListener('keydown', (event) => {
      // Not the Enter that chooses a suggestion, or ends a word of an input method.
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
      if (event.key === 'Enter' && event.target === area && isPlain) {
        if (!event.isComposing && !event.defaultPrevented && continueList(area)) event.preventDefault();
        return;
      }
      const isHeld = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      if (!isHeld || event.altKey || event.shiftKey || event.isComposing) return;
      if (event.key === 'Enter') {
        event.preventDefault();
        area.form.requestSubmit(area.form.querySelector('button.primary'));
        return;
      }
      const button = buttons.find(({ dataset }) => dataset.key === event.key.toLowerCase());
      if (button === undefined || event.target !== area) return;
      event.preventDefault();
      use(button.dataset.tool, area);
    });
    bar.hidden = false;
  }

  for (const bar of document.querySelectorAll('.toolbar')) setUp(bar);
})();
