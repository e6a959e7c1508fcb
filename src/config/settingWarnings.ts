import { environmentName } from './optionKinds.ts';
import { options, optionTable, type Settings } from './options.ts';
import { subOptionTexts } from './readValue.ts';
import { suggest } from './suggest.ts';

/** A value as written, and how to name it in a message. */
export interface Given {
  readonly text: string;
  readonly label: string;
}

/** Settings that were given and do nothing, one line each. */
export function settingWarnings(
  settings: Settings,
  given: ReadonlyMap<string, Given>,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return [...withoutMeaning(given), ...withoutMeaningForSink(settings, given), ...misspelt(environment)];
}

/** Options that exist for the sake of the Go exporter's command lines. */
function withoutMeaning(given: ReadonlyMap<string, Given>): readonly string[] {
  return [...given].flatMap(([name, { label }]) => {
    const why = optionTable[name]?.upstream;
    return why === undefined ? [] : [`${label} is accepted and does nothing: ${why}`];
  });
}

function withoutMeaningForSink({ sink }: Settings, given: ReadonlyMap<string, Given>): readonly string[] {
  const idleFlags = [...given].filter(([name]) => optionTable[name]?.sinks?.includes(sink) === false);
  const told = idleFlags.map(([, { label }]) => `${label} does nothing with the sink ${sink}`);
  const sinkOpts = given.get('sink-opts');
  if (sinkOpts === undefined) return told;
  const table: typeof optionTable = options['sink-opts'].of;
  const idle = [...subOptionTexts(options['sink-opts'], sinkOpts.text, sinkOpts.label).texts.keys()].filter(
    (name) => table[name]?.sinks?.includes(sink) === false,
  );
  return idle.length === 0 ? told : [...told, `${sinkOpts.label} is accepted and does nothing with the sink ${sink}: ${idle.join(', ')}`];
}

/** Kubernetes injects such names for a Service called kube-sluice or kube-sluice-something. */
const ofService = /_(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/;

/** A misspelt variable is not read; unnoticed, that could make every container export everything. */
function misspelt(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = Object.keys(optionTable).map(environmentName);
  return Object.keys(environment).flatMap((name) => {
    if (!name.startsWith('KUBE_SLUICE_') || known.includes(name) || ofService.test(name)) return [];
    const meant = suggest(name, known);
    return meant === undefined ? [] : [`${name} in the environment is not read (did you mean ${meant}?)`];
  });
}
