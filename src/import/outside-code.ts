// The parts of a Markdown text that are not code.

/** Convert a text except for its fenced blocks and code spans. Takes linear time. */
export function outsideCode(markdown: string, convert: (text: string) => string): string {
  const parts: string[] = [];
  let text: string[] = [];
  let fence: string | undefined;
  const endText = () => {
    if (text.length > 0) parts.push(outsideSpans(text.join('\n'), convert));
    text = [];
  };
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark === undefined) {
      text.push(line);
      continue;
    }
    endText();
    parts.push(line);
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
  }
  endText();
  return parts.join('\n');
}

// Every second part is code.
function outsideSpans(text: string, convert: (text: string) => string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : convert(part)))
    .join('');
}
