import { parser } from '@prometheus-io/lezer-promql';

/** What an expression asks Prometheus for. */
export interface Query {
  readonly metrics: readonly string[];
  /** Metrics inside of rate() or increase(), which only make sense for what never falls. */
  readonly rated: readonly string[];
  /** Labels that are matched or grouped by. */
  readonly labels: readonly string[];
}

/** Takes an expression apart with Prometheus' own grammar. Throws where it is not PromQL. */
export function query(expression: string): Query {
  const [metrics, rated, labels] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const rates: number[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to, node }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`not PromQL near '${expression.slice(Math.max(from - 20, 0), to + 20)}': ${expression}`);
      if (type.name === 'FunctionCall') rates.push(/^(rate|increase|irate)\(/.test(text) ? to : 0);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') {
        metrics.add(text);
        if (rates.some((end) => end >= to)) rated.add(text);
      }
      if (type.name === 'LabelName') labels.add(text);
    },
    leave({ type }) {
      if (type.name === 'FunctionCall') rates.pop();
    },
  });
  return { metrics: [...metrics], rated: [...rated], labels: [...labels] };
}
