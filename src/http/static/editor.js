// Saves a draft while its author writes, and shows the preview in place: beside the text where there is room, as it is
// written. Without this script the buttons do both.
(() => {
  const form = document.getElementById('editor');
  const words = form.dataset;
  const status = document.getElementById('saving');
  // In milliseconds: the pause in typing before a save, the longest time without a save, the wait after a failure.
  const QUIET = 2500;
  const LONGEST = 20000;
  const RETRY = 15000;
  // The pause in typing before the preview follows, and the least time between two: the server renders 60 a minute.
  const PREVIEW_PAUSE = 600;
  const PREVIEW_GAP = 1500;
  // As in the style sheet.
  const beside = matchMedia('(min-width: 1100px)');
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
    data.delete('picture');
    // Without this field the answer is the whole page.
    if (action === 'preview') data.set('part', action);
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
    status.textContent = result.message;
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

  const pane = document.getElementById('preview');
  let previewedText;
  let previewTimer;
  let nextPreview = 0;
  let isPreviewing = false;

  // The pane itself stays, so that it keeps its place.
  async function showPreview() {
    const text = currentText();
    const answer = await send(path(), 'preview');
    if (!answer.ok) throw Object.assign(new Error('There is no preview.'), { answer });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = page.getElementById('preview');
    pane.className = next.className;
    pane.replaceChildren(...next.childNodes);
    previewedText = text;
  }

  function path() {
    return form.getAttribute('action');
  }

  async function preview(button) {
    try {
      await showPreview();
      pane.scrollIntoView();
      pane.focus({ preventScroll: true });
    } catch {
      // The page that the button opens shows the preview, or why there is none.
      bypassScript = true;
      form.requestSubmit(button);
    }
  }

  function previewSoon() {
    clearTimeout(previewTimer);
    if (!beside.matches || leaving || currentText() === previewedText) return;
    previewTimer = setTimeout(followText, Math.max(PREVIEW_PAUSE, nextPreview - Date.now()));
  }

  // One request at a time: the server renders the texts of a member in turn.
  async function followText() {
    if (isPreviewing || pending !== undefined) {
      nextPreview = Date.now() + PREVIEW_PAUSE;
      previewSoon();
      return;
    }
    isPreviewing = true;
    const start = Date.now();
    let wait;
    try {
      await showPreview();
      // A text that takes long is shown less often.
      wait = Math.max(PREVIEW_GAP, 4 * (Date.now() - start));
    } catch ({ answer }) {
      wait = 1000 * (Number(answer?.headers.get('retry-after')) || 0) || RETRY;
    }
    isPreviewing = false;
    nextPreview = Date.now() + wait;
    previewSoon();
  }

  form.addEventListener('input', () => {
    leaving = false;
    previewSoon();
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
  beside.addEventListener('change', previewSoon);
  if (!isEmpty()) previewSoon();
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
