// The mutants of a source file: the same text with one small change each. A good test fails for each of them.

import { stripTypeScriptTypes } from 'node:module';

export interface Mutant {
  /** Counted from 1. */
  line: number;
  /** What was changed, as `before → after`. */
  change: string;
  text: string;
}

interface Token {
  kind: 'word' | 'number' | 'string' | 'operator';
  text: string;
  at: number;
}

/** All mutants of a TypeScript source, in the order of its lines. */
export function mutantsOf(source: string): Mutant[] {
  // Types become blanks, so each place in the result is the same place in the source.
  const tokens = tokensOf(stripTypeScriptTypes(source));
  const mutants: Mutant[] = [];
  const add = (from: number, to: number, replacement: string) => {
    const before = source.slice(from, to).replaceAll(/\s+/g, ' ').slice(0, 60);
    mutants.push({
      line: source.slice(0, from).split('\n').length,
      change: `${before} → ${replacement === '' ? '(removed)' : replacement.slice(0, 60)}`,
      text: source.slice(0, from) + replacement + source.slice(to),
    });
  };
  tokens.forEach((token, index) => {
    const end = token.at + token.text.length;
    const other = SWAPPED.get(token.text);
    if (token.kind === 'operator' && other !== undefined) add(token.at, end, other);
    if (token.kind === 'number') add(token.at, end, String(Number(token.text.replaceAll('_', '')) + 1));
    if (token.kind === 'string' && token.text.length > 2) add(token.at, end, "''");
    if (token.text === 'true') add(token.at, end, 'false');
    if (token.text === 'false') add(token.at, end, 'true');
    if (token.text === 'if') {
      const [open, close] = parenthesesAfter(tokens, index);
      if (open !== undefined && close !== undefined) {
        const condition = source.slice(open.at + 1, close.at);
        add(open.at + 1, close.at, `!(${condition})`);
      }
    }
    if (startsStatement(tokens, index)) {
      const last = endOfStatement(tokens, index);
      if (last !== undefined) add(token.at, last.at, '');
    }
  });
  return mutants.filter(({ text }) => isReadable(text));
}

const SWAPPED = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&'],
  ['??', '&&'],
  ['+', '-'],
  ['-', '+'],
]);

// A call, an early return without a value, or a throw, that stands alone.
function startsStatement(tokens: readonly Token[], index: number): boolean {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token?.kind !== 'word' || ![';', '{', '}', ')'].includes(before?.text ?? ';')) return false;
  if (token.text === 'throw' || token.text === 'await') return true;
  if (token.text === 'return') return after?.text === ';';
  return !RESERVED.has(token.text) && (after?.text === '(' || after?.text === '.');
}

const RESERVED = new Set(['import', 'export', 'if', 'for', 'while', 'switch', 'catch', 'function', 'super']);

function endOfStatement(tokens: readonly Token[], start: number): Token | undefined {
  let depth = 0;
  for (const token of tokens.slice(start)) {
    if (token.kind === 'operator' && '([{'.includes(token.text)) depth += 1;
    if (token.kind === 'operator' && ')]}'.includes(token.text)) depth -= 1;
    if (depth < 0) return undefined;
    if (depth === 0 && token.text === ';') return token;
  }
  return undefined;
}

function parenthesesAfter(tokens: readonly Token[], index: number): (Token | undefined)[] {
  let depth = 0;
  for (const token of tokens.slice(index + 1)) {
    if (token.text === '(' && token.kind === 'operator') depth += 1;
    if (token.text === ')' && token.kind === 'operator') depth -= 1;
    if (depth === 0) return [tokens[index + 1], token];
  }
  return [];
}

function isReadable(text: string): boolean {
  try {
    stripTypeScriptTypes(text);
    return true;
  } catch {
    return false;
  }
}

const PIECES = new RegExp(
  [
    String.raw`(?<skip>\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)`,
    String.raw`(?<string>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|` +
      String.raw`${'`'}(?:\\.|[^${'`'}\\])*${'`'})`,
    String.raw`(?<number>\d[\d_]*(?:\.\d+)?)`,
    String.raw`(?<word>[A-Za-z_$#][\w$]*)`,
    String.raw`(?<operator>=>|===|!==|\?\?=?|\?\.|\.\.\.|&&=?|\|\|=?|<=|>=|[-+*/%&|^]=|\+\+|--|[\s\S])`,
  ].join('|'),
  'y',
);
const REGEXP = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+\/[a-z]*/y;

function tokensOf(code: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < code.length) {
    // A slash divides after a value, and begins a regular expression elsewhere.
    if (code[at] === '/' && /^(?:[([{,;:=!&|?]|=>|return)?$/.test(tokens.at(-1)?.text ?? '')) {
      REGEXP.lastIndex = at;
      const [text] = REGEXP.exec(code) ?? [];
      if (text !== undefined) {
        tokens.push({ kind: 'operator', text, at });
        at += text.length;
        continue;
      }
    }
    PIECES.lastIndex = at;
    const { groups = {}, 0: text } = PIECES.exec(code) ?? { 0: code[at] ?? '' };
    for (const kind of ['word', 'number', 'string', 'operator'] as const) {
      if (groups[kind] !== undefined) tokens.push({ kind, text, at });
    }
    at += text.length;
  }
  return tokens;
}
