// Shows the copy buttons, and copies the text of the element that each one names. Without this script a click on the
// text selects all of it.
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
