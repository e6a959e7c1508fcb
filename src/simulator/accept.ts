import type { Form } from './revision.ts';
import { notAcceptable, type StatusBody } from './statuses.ts';

/** What the answer will hold. */
export type Shape = 'object' | 'list' | 'watch';

const jsonTypes = new Set(['application/json', 'application/*', '*/*', '']);
const offered = 'application/json';

/** Chooses the form by the Accept header: the first type in it that is offered decides, conversions included. */
export function negotiate(accept: string, shape: Shape): Form | StatusBody {
  for (const clause of accept.split(',')) {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
    if (!jsonTypes.has(type)) continue;
    const as = parameterOf(parameters, 'as');
    if (as === undefined) return 'full';
    if (parameterOf(parameters, 'g') !== 'meta.k8s.io' || parameterOf(parameters, 'v') !== 'v1') continue;
    if (as === 'PartialObjectMetadata') return shape === 'list' ? mismatch(as, 'is a list') : 'partial';
    if (as === 'PartialObjectMetadataList') return shape === 'list' ? 'partial' : mismatch(as, 'is not a list');
  }
  return notAcceptable(`only the following media types are accepted: ${offered}`);
}

function mismatch(as: string, rule: string): StatusBody {
  return notAcceptable(`you requested ${as}, but the requested object ${rule}`);
}

function parameterOf(parameters: readonly string[], name: string): string | undefined {
  return parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
}
