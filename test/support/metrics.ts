// Reading the metrics of a program, and waiting for a value.

import { setTimeout as pause } from 'node:timers/promises';

/** Read the metrics at a port of this machine, by name with labels. */
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

/** Read repeatedly until the condition is true. Fails after twenty seconds. */
export async function metricsWhen(
  port: number,
  condition: (metrics: Map<string, number>) => boolean,
): Promise<Map<string, number>> {
  for (const start = performance.now(); ; await pause(20)) {
    const metrics = await readMetrics(port);
    if (condition(metrics)) return metrics;
    if (performance.now() - start > 20_000) throw new Error('The metrics did not reach this state in 20 s.');
  }
}
