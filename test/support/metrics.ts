// Reading the metrics of a program, and waiting until they say something.

import { setTimeout as pause } from 'node:timers/promises';

/** The numbers at a port of this machine, by name and labels as they are printed. */
export async function readMetrics(port: number): Promise<Map<string, number>> {
  const text = await metricsText(port);
  return new Map(
    [...text.matchAll(/^([a-z_]+(?:\{.*\})?) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
  );
}

export async function metricsText(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}.`);
  return answer.text();
}

/** Reads again and again until a number is what is wanted; fails after twenty seconds. */
export async function metricsWhen(
  port: number,
  isWanted: (numbers: Map<string, number>) => boolean,
): Promise<Map<string, number>> {
  for (const since = performance.now(); ; await pause(20)) {
    const numbers = await readMetrics(port);
    if (isWanted(numbers)) return numbers;
    if (performance.now() - since > 20_000) throw new Error('The metrics did not say so in 20 s.');
  }
}
