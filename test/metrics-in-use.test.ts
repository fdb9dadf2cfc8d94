// Alerts, the dashboard and the documentation name the metrics that the program has.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openMetrics } from '../src/http/metrics.ts';
import { instructions, read } from './support/deployed.ts';
import { metricsText } from './support/metrics.ts';
import { freePort } from './support/services.ts';

/** The metrics of /metrics, and the names under which Prometheus stores their values. */
let metrics: string[];
let stored: Set<string>;

before(async () => {
  const port = await freePort();
  const server = await openMetrics().serve('127.0.0.1', port);
  const types = [...(await metricsText(port)).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  await server.close();
  metrics = types.map(([, name = '']) => name);
  stored = new Set(
    types.flatMap(([, name, type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name ?? ''],
    ),
  );
});

function namesIn(text: string): string[] {
  return text.match(/\b(?:portico|nodejs|process)_[a-z0-9_]+/g) ?? [];
}

test('Every metric that the alerts and the dashboard name is one that /metrics has', () => {
  const alerts = [
    ...instructions('deploy/prometheus-alerts.yml').matchAll(/expr: ([\s\S]*?)\n\s+(?:for|labels):/g),
  ].map(([, expression = '']) => expression);
  const panels: { targets: { expr: string }[] }[] = JSON.parse(read('deploy/grafana-dashboard.json')).panels;
  const expressions = [...alerts, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];

  assert.ok(alerts.length >= 9 && panels.length >= 12);
  for (const expression of expressions) {
    const names = namesIn(expression);
    assert.ok(names.length > 0 || /\bup\{/.test(expression), expression);
    assert.deepEqual(
      names.filter((name) => !stored.has(name)),
      [],
      expression,
    );
  }
});

test('Every alert says what is wrong and what to do', () => {
  const alerts = read('deploy/prometheus-alerts.yml').split('- alert: ').slice(1);

  for (const alert of alerts) {
    assert.match(alert, /severity: (?:critical|warning|info)/);
    assert.match(alert, /summary: ".+"\n\s+action: ".+"/);
  }
});

test('Every metric has a line in the table of metrics, which names no other', () => {
  const section = read('docs/operating.md').split('\n## Metrics\n')[1]?.split('\n## ')[0] ?? '';
  const table = section.split('\n').filter((line) => line.startsWith('| `'));
  const described = table.flatMap((line) => namesIn(line.split(' | ')[0] ?? ''));

  assert.ok(metrics.length > 20);
  assert.deepEqual(described.toSorted(), metrics.toSorted());
});
