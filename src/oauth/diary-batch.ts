// The lines of a batch as text. Each name is in it once, and a line is twelve numbers.

import { HOUR } from '../lib/clock.ts';
import { type DiaryLine, READINGS, type Reading } from './access-diary-store.ts';

const NUMBERS_OF_LINE = 12;

/** Write lines as text. */
export function writeBatch(lines: Iterable<DiaryLine>): string {
  const names = new Map<string, number>();
  const numbers: number[] = [];
  const nameNumber = (name: string) => {
    let number = names.get(name);
    if (number === undefined) {
      number = names.size;
      names.set(name, number);
    }
    return number;
  };
  for (const line of lines) {
    numbers.push(
      line.userId,
      line.hour / HOUR,
      nameNumber(line.clientId),
      nameNumber(line.source),
      READINGS.indexOf(line.reading),
      line.status,
      nameNumber(line.network),
      nameNumber(line.program),
      line.requests,
      line.posts,
      line.firstAt - line.hour,
      line.lastAt - line.hour,
    );
  }
  return JSON.stringify({ names: [...names.keys()], numbers });
}

/** Read the lines from the text that `writeBatch` made. */
export function readBatch(text: string): DiaryLine[] {
  const { names, numbers } = JSON.parse(text) as { names: string[]; numbers: number[] };
  const lines: DiaryLine[] = [];
  for (let start = 0; start < numbers.length; start += NUMBERS_OF_LINE) {
    const number = (index: number) => numbers[start + index] as number;
    const name = (index: number) => names[number(index)] as string;
    const hour = number(1) * HOUR;
    lines.push({
      userId: number(0),
      hour,
      clientId: name(2),
      source: name(3),
      reading: READINGS[number(4)] as Reading,
      status: number(5),
      network: name(6),
      program: name(7),
      requests: number(8),
      posts: number(9),
      firstAt: hour + number(10),
      lastAt: hour + number(11),
    });
  }
  return lines;
}
