import { histogramMetrics, infoMetrics } from '../../src/telemetry/metrics.ts';
import { countedMetrics } from '../../src/telemetry/metricTable.ts';
import { code, page, table } from './markdown.ts';

interface Metric {
  readonly type: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

export function metricsPage(): string {
  const all: Readonly<Record<string, Metric>> = { ...infoMetrics, ...countedMetrics, ...histogramMetrics };
  const own = Object.entries(all).filter(([name]) => name.startsWith('kube_sluice_'));
  const go = Object.entries(all).filter(([name]) => !name.startsWith('kube_sluice_'));
  return page(
    '# Metrics',
    'At `/metrics` on `--prometheus-endpoint`. No label ever holds the name of an object; `source` names a reader, `events` and `pods`, or `events/shop` and `pods/shop` with `--namespace shop`.',
    'Nothing gets lost between two of these: `kube_sluice_received_total` = `kube_sluice_stored_total` + `kube_sluice_refused_total` + `kube_sluice_filtered_total` + `kube_sluice_repeated_total` + `kube_sluice_in_flight`.',
    '## kube-sluice',
    metricsTable(own),
    '## Names of the Go exporter',
    'Dashboards made for it go on working.',
    metricsTable(go),
    '## The process',
    'The usual `process_` and `nodejs_` metrics of prom-client.',
  );
}

function metricsTable(metrics: readonly (readonly [string, Metric])[]): string {
  return table(
    ['metric', 'type', 'labels', 'meaning'],
    metrics.map(([name, { type, help, labels = [] }]) => [code(name), type, labels.map(code).join(', '), help]),
  );
}
