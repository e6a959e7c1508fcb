import type { Option } from '../../src/config/optionKinds.ts';
import { optionTable } from '../../src/config/options.ts';

type Schema = Readonly<Record<string, unknown>>;

const duration = '(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:ns|us|µs|ms|s|m|h)';

/** JSON schema of the file for --config, for editors and for checks before anything runs. The program has the last word. */
export function configSchema(): string {
  const options = Object.entries(optionTable).filter(([name]) => name !== 'config');
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'kube-sluice --config',
    description: 'Settings of kube-sluice, named like its flags. `kube-sluice config check FILE` checks a file in full.',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(options.map(([name, option]) => [name, propertyOf(option)])),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

function propertyOf(option: Option): Schema {
  return { description: option.description, ...(option.default === '' ? {} : { default: written(option) }), ...valuesOf(option) };
}

/** As YAML reads it: numbers and booleans are no texts there. */
function written({ kind, default: text }: Option): unknown {
  if (kind === 'flag') return text === 'true';
  if (kind === 'list') return text.split(',');
  return /^-?[0-9]+$/.test(text) ? Number(text) : text;
}

function valuesOf(option: Option): Schema {
  switch (option.kind) {
    case 'text':
      return { type: ['string', 'number', 'boolean'] };
    case 'options':
    case 'address':
      return { type: 'string' };
    case 'flag':
      return { type: 'boolean' };
    case 'count':
      return { type: 'integer', minimum: option.min, maximum: option.max };
    case 'duration':
      return { anyOf: [{ type: 'string', pattern: `^(?:${duration})+$` }, { const: 0 }] };
    case 'bytes':
      return {
        anyOf: [
          { type: 'integer', minimum: option.min },
          { type: 'string', pattern: '^[0-9]+(?:[kMG]B?|[KMG]iB?|B)?$' },
        ],
      };
    case 'choice':
      return { enum: [...option.choices, ...Object.keys(option.aliases ?? {})] };
    case 'list':
      return { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    case 'factor':
      return { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { const: 'max' }] };
  }
}
