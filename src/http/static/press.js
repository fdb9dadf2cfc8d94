// Presses a button, such as the one that likes a post, without leaving the page. The page that the form leads to is
// read, and the form and the elements that depend on it are taken over. Without this script, or if that fails, the form
// leads there.
for (const form of document.querySelectorAll('form[data-press]')) {
  const button = form.querySelector('button');
  let isUnderWay = false;

  async function send() {
    const answer = await fetch(form.getAttribute('action'), {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
    });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = page.getElementById(form.id);
    // For example when the member has signed out in another tab.
    if (!answer.ok || next === null) throw new Error(answer.statusText);
    const after = next.querySelector('button');
    form.setAttribute('action', next.getAttribute('action'));
    button.setAttribute('aria-pressed', after.getAttribute('aria-pressed'));
    button.replaceChildren(...after.childNodes);
    const depending = form.dataset.press;
    if (depending !== '') document.getElementById(depending).replaceWith(page.getElementById(depending));
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isUnderWay) return;
    isUnderWay = true;
    send()
      .catch(() => form.submit())
      .finally(() => {
        isUnderWay = false;
      });
  });
}
