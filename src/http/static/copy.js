// Shows the copy buttons, and copies the text of the element that each one names. Without this script a click on the
// text selects all of it. Blocks of code in a post get their buttons here.
{
  let blocks = 0;
  for (const prose of document.querySelectorAll('[data-copy-code]')) {
    for (const pre of prose.querySelectorAll('pre')) {
      blocks += 1;
      const code = pre.querySelector('code');
      code.id = `code-${blocks}`;
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = prose.dataset.copyCode;
      button.dataset.copy = code.id;
      button.dataset.done = prose.dataset.done;
      button.setAttribute('aria-live', 'polite');
      const block = document.createElement('div');
      block.className = 'copied';
      pre.replaceWith(block);
      block.append(pre, button);
    }
  }
}
for (const button of document.querySelectorAll('button[data-copy]')) {
  const text = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = button.dataset.done;
      setTimeout(() => {
        button.textContent = label;
      }, 3000);
    } catch {
      // Without the permission, or on a page that is not secure, the member copies the selected text.
      getSelection().selectAllChildren(text);
    }
  });
}
