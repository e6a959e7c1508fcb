import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { histogramMetrics, infoMetrics, metrics as registry } from '../../src/telemetry/metrics.ts';
import { countedMetrics } from '../../src/telemetry/metricTable.ts';
import { query } from './promql.ts';
import { at, only, rendered } from './rendered.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
}

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const monitoring = rendered('monitoring');
const rules = at(only('PrometheusRule', monitoring), 'spec.groups.0.rules') as readonly Rule[];
const dashboard = JSON.parse(
  String((at(only('ConfigMap', monitoring), 'data') as Readonly<Record<string, string>>)['kube-sluice.json']),
) as {
  readonly panels: readonly Panel[];
};
const targets = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
);
const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

/** Labels that the operator's scrape adds to every sample. */
const scraped = ['namespace', 'pod', 'container', 'job', 'instance', 'endpoint'];

interface Metric {
  readonly type: string;
  readonly labels: readonly string[];
}

const table: ReadonlyMap<string, Metric> = new Map([
  ...Object.entries<Partial<Metric> & { readonly type: string }>({ ...infoMetrics, ...countedMetrics }).map(
    ([name, { type, labels = [] }]): [string, Metric] => [name, { type, labels }],
  ),
  ...Object.keys(histogramMetrics).flatMap((name) =>
    ['_bucket', '_sum', '_count'].map((part): [string, Metric] => [name + part, { type: 'counter', labels: ['le'] }]),
  ),
  ...(await processMetrics()),
]);

/** Those that the process really shows. */
async function processMetrics(): Promise<[string, Metric][]> {
  const text = await registry({ version: '', shard: { index: 0, total: 1 }, processMetrics: true }, () => 0).text();
  const typed = [...text.matchAll(/^# TYPE ((?:process|nodejs)_\w+) (\w+)$/gm)];
  return typed.map(([, name = '', type = '']) => [name, { type, labels: [] }]);
}

/** What is wrong with an expression: metrics and labels that do not exist, and rates of what may fall. */
function faults(expression: string): string[] {
  const { metrics, rated, labels } = query(expression.replace(/\$__rate_interval/g, '5m'));
  const known = new Set([...scraped, ...metrics.flatMap((name) => table.get(name)?.labels ?? [])]);
  return [
    ...metrics.filter((name) => !table.has(name)).map((name) => `${name} is no metric`),
    ...rated.filter((name) => table.get(name)?.type !== 'counter').map((name) => `${name} is no counter`),
    ...labels.filter((label) => !known.has(label)).map((label) => `${label} is no label of ${metrics.join(', ')}`),
    ...(metrics.length === 0 ? ['asks for nothing'] : []),
  ];
}

test('the check sees what is wrong', () => {
  expect(faults('sum by (colour) (rate(kube_sluice_gaps[5m]))')).toEqual([
    'kube_sluice_gaps is no metric',
    'kube_sluice_gaps is no counter',
    'colour is no label of kube_sluice_gaps',
  ]);
  expect(faults('increase(kube_sluice_in_flight[5m])')).toEqual(['kube_sluice_in_flight is no counter']);
  expect(() => faults('sum by (pod kube_sluice_shards')).toThrow('not PromQL');
});

describe.each(rules)('$alert', ({ alert, expr, annotations, ...rule }) => {
  test('asks for metrics and labels that exist', () => {
    expect(faults(expr)).toEqual([]);
  });

  test('leads to its own section of the runbook', () => {
    expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(operations).toMatch(new RegExp(`^### ${alert}$`, 'm'));
  });

  test('says in one line what it means, and only with labels that its samples have', () => {
    expect(annotations.summary).toMatch(/^[A-Z].*\.$/);
    const grouped = new Set([...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, labels = '']) => labels.split(', ')));
    const used = [...annotations.description.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
    expect(used.filter((label) => !grouped.has(String(label)))).toEqual([]);
    expect(['critical', 'warning']).toContain(rule.labels.severity);
  });
});

test('every alert section of the runbook has its alert', () => {
  const sections = [...operations.matchAll(/^### (KubeSluice\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(rules.map(({ alert }) => alert));
});

test.each(targets)('the panel "$title" shows metrics that exist: $legendFormat', ({ expr, legendFormat }) => {
  expect(faults(expr)).toEqual([]);
  const { metrics } = query(expr.replace(/\$__rate_interval/g, '5m'));
  const known = new Set([...scraped, ...metrics.flatMap((name) => table.get(name)?.labels ?? [])]);
  expect([...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].filter(([, label]) => !known.has(String(label)))).toEqual([]);
});

test('the panels do not overlap and stay on the grid', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(dashboard.panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  expect(targets.length).toBeGreaterThan(20);
});
