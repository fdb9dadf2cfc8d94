// Saves a draft while its author writes, and shows the preview in place. Without this script the buttons do both.
(() => {
  const form = document.getElementById('editor');
  const words = form.dataset;
  const status = document.getElementById('saving');
  // In milliseconds: the pause in typing before a save, the longest time without a save, the wait after a failure.
  const QUIET = 2500;
  const LONGEST = 20000;
  const RETRY = 15000;
  let savedText = currentText();
  let since;
  let timer;
  let pending;
  let stopped = words.autosave === undefined;
  let leaving = false;
  let bypassScript = false;

  function currentText() {
    return JSON.stringify(['title', 'category', 'body', 'tags'].map((name) => form.elements[name].value));
  }

  function isChanged() {
    return currentText() !== savedText;
  }

  function fields(action) {
    const data = new URLSearchParams(new FormData(form));
    data.set('action', action);
    return data;
  }

  function isEmpty() {
    return form.elements.title.value.trim() === '' && form.elements.body.value.trim() === '';
  }

  function send(path, action, keepalive = false) {
    // A redirect would lead to the sign-in page.
    return fetch(path, { method: 'POST', body: fields(action), redirect: 'error', keepalive });
  }

  async function attempt(keepalive) {
    const text = currentText();
    status.textContent = words.saving;
    const answer = await send(words.autosave, 'draft', keepalive);
    const result = await answer.json();
    if (!answer.ok) {
      status.textContent = result.message;
      // There is a newer version. Nothing is overwritten until the author chooses one.
      stopped = answer.status === 409;
      return;
    }
    savedText = text;
    form.elements.version.value = result.version;
    if (words.autosave !== result.autosave) {
      words.autosave = result.autosave;
      form.setAttribute('action', result.edit);
      history.replaceState(null, '', result.edit);
    }
    const time = new Date(result.savedAt).toLocaleTimeString(document.documentElement.lang, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    status.textContent = words.saved.replace('{time}', time);
  }

  function save(keepalive = false) {
    clearTimeout(timer);
    since = undefined;
    if (stopped || leaving || pending !== undefined || !isChanged() || isEmpty()) return;
    let pause = QUIET;
    pending = attempt(keepalive)
      .catch(() => {
        status.textContent = words.failed;
        pause = RETRY;
      })
      .finally(() => {
        pending = undefined;
        if (!stopped && isChanged()) timer = setTimeout(save, pause);
      });
  }

  async function preview(button) {
    try {
      const answer = await send(form.getAttribute('action'), 'preview');
      if (!answer.ok) throw new Error('There is no preview.');
      const section = new DOMParser()
        .parseFromString(await answer.text(), 'text/html')
        .getElementById('preview');
      document.getElementById('preview').replaceWith(section);
      section.focus();
    } catch {
      // The page that the button opens shows the preview, or why there is none.
      bypassScript = true;
      form.requestSubmit(button);
    }
  }

  form.addEventListener('input', () => {
    leaving = false;
    if (stopped) return;
    since ??= Date.now();
    clearTimeout(timer);
    timer = setTimeout(save, Math.min(QUIET, Math.max(0, since + LONGEST - Date.now())));
  });
  form.addEventListener('submit', (event) => {
    const { submitter } = event;
    if (submitter?.value === 'preview' && !bypassScript) {
      event.preventDefault();
      preview(submitter);
      return;
    }
    leaving = true;
    clearTimeout(timer);
    if (pending === undefined) return;
    // The form must carry the version that the save under way returns.
    event.preventDefault();
    pending.finally(() => form.requestSubmit(submitter));
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') save(true);
  });
  window.addEventListener('pageshow', () => {
    leaving = false;
  });
  window.addEventListener('beforeunload', (event) => {
    if (!leaving && isChanged() && !isEmpty()) event.preventDefault();
  });
})();
