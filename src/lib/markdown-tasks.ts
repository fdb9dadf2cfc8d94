// Tasks in lists: "- [ ] water the plants", "- [x] bake". Readers see boxes that they can't tick. The words of the task
// are the label of its box.

import type { default as Library, MarkdownIt, Token } from 'markdown-it';

type Core = InstanceType<typeof Library> & MarkdownIt;

const BOX = /^\[([ xX])\][ \t]+(?=\S)/;

/** Let the parser find tasks. */
export function findTasks(markdownIt: Core): void {
  markdownIt.core.ruler.after('inline', 'tasks', ({ tokens, Token: Made }) => {
    for (const [index, token] of tokens.entries()) {
      const item = tokens[index - 2];
      if (token.type === 'inline' && item?.type === 'list_item_open' && labelTask(token, Made)) {
        item.attrSet('class', 'task');
      }
    }
  });
  const { rules } = markdownIt.renderer;
  rules.task_open = (tokens, index) =>
    `<label><input type="checkbox" disabled${tokens[index]?.markup === ' ' ? '' : ' checked'}> `;
  rules.task_close = () => '</label>';
}

function labelTask(inline: Token, Made: typeof Token): boolean {
  const [first] = inline.children ?? [];
  const [box, tick] = (first?.type === 'text' && BOX.exec(first.content)) || [];
  if (first === undefined || box === undefined || tick === undefined) return false;
  first.content = first.content.slice(box.length);
  const open = Object.assign(new Made('task_open', '', 1), { markup: tick });
  // A label can't have what is on the next lines, which may be another list.
  inline.children = [open, ...(inline.children ?? []), new Made('task_close', '', -1)];
  return true;
}
