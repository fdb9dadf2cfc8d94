// Uploads pictures that are chosen, pasted or dropped, and shows them in the text. Without this script a button does.
(() => {
  for (const box of document.querySelectorAll('[data-pictures]')) enhance(box);

  function enhance(box) {
    const words = box.dataset;
    const { form } = box.querySelector('button');
    const text = form.elements.body;
    const input = form.elements.picture;
    const status = box.querySelector('[role=status]');
    const hint = box.querySelector('[hidden]');
    /** One after another, since a member can have only one upload at a time. */
    let queue = Promise.resolve();
    let waiting = 0;
    let count = 0;

    for (const part of box.querySelectorAll('.without-script')) part.hidden = true;
    // Beside what it is about.
    text.parentElement.after(status);
    if (hint !== null) hint.hidden = false;
    input.multiple = true;

    function say(message, isProblem = false) {
      status.textContent = message;
      status.classList.toggle('error', isProblem);
      status.classList.toggle('soft', !isProblem);
    }

    function change(start, end, replacement) {
      const isInside = text.selectionStart > end;
      const { selectionStart, selectionEnd, scrollTop } = text;
      text.setRangeText(replacement, start, end);
      const moved = isInside ? replacement.length - (end - start) : 0;
      text.setSelectionRange(selectionStart + moved, selectionEnd + moved);
      text.scrollTop = scrollTop;
      // The editor's script saves the draft.
      text.dispatchEvent(new Event('input', { bubbles: true }));
    }

    /** On lines of its own, where the cursor is. */
    function reserve(mark) {
      const at = text.selectionEnd;
      const before = text.value.slice(0, at);
      const after = text.value.slice(at);
      const above = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
      const below = after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n';
      change(at, at, above + mark + below);
      const end = at + above.length + mark.length + below.length;
      text.setSelectionRange(end, end);
    }

    function replaceMark(mark, replacement) {
      const at = text.value.indexOf(mark);
      // The author may have deleted it meanwhile.
      if (at === -1) return -1;
      change(at, at + mark.length, replacement);
      return at;
    }

    function send(file, name) {
      return new Promise((resolve, reject) => {
        const data = new FormData();
        data.append('form_token', form.elements.form_token.value);
        data.append('picture', file, 'picture');
        const request = new XMLHttpRequest();
        request.open('POST', words.pictures);
        request.responseType = 'json';
        request.upload.onprogress = ({ loaded, total }) => {
          const percent = String(Math.floor((100 * loaded) / total));
          say(words.uploading.replace('{name}', name).replace('{percent}', percent));
        };
        request.onload = () => {
          const answer = request.response;
          if (answer?.markdown !== undefined) resolve(answer.markdown);
          else reject(new Error(answer?.message ?? words.failed));
        };
        request.onerror = () => reject(new Error(words.failed));
        request.send(data);
      });
    }

    async function upload(file) {
      count += 1;
      const name = (file.name || words.name).replaceAll(/[[\]\\()`\n]/g, '').slice(-40);
      const mark = `![${name} (${count})…]()`;
      reserve(mark);
      try {
        if (file.size > Number(words.most)) throw new Error(words.tooLarge);
        say(words.uploading.replace('{name}', name).replace('{percent}', '0'));
        const markdown = await send(file, name);
        const at = replaceMark(mark, markdown);
        if (at === -1 || !markdown.startsWith('![]')) {
          say('');
          return;
        }
        say(words.describe);
        if (waiting > 1) return;
        text.focus();
        text.setSelectionRange(at + 2, at + 2);
      } catch (error) {
        replaceMark(mark, '');
        say(error.message, true);
      }
    }

    function add(files) {
      const pictures = [...files].filter(({ type }) => type.startsWith('image/'));
      for (const file of pictures) {
        waiting += 1;
        queue = queue
          .then(() => upload(file))
          .finally(() => {
            waiting -= 1;
          });
      }
      return pictures.length > 0;
    }

    input.addEventListener('change', () => {
      add(input.files);
      // The same file can be chosen again, and the form is sent without it.
      input.value = '';
    });
    text.addEventListener('paste', (event) => {
      // A table or a text from another program comes with a picture of it.
      if (event.clipboardData.types.includes('text/plain')) return;
      if (add(event.clipboardData.files)) event.preventDefault();
    });
    text.addEventListener('dragover', (event) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    });
    text.addEventListener('drop', (event) => {
      if (add(event.dataTransfer.files)) event.preventDefault();
    });
    form.addEventListener('submit', (event) => {
      if (waiting === 0) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      say(words.wait, true);
    });
  }
})();
