import { outside } from './ambient.ts';
import { type Fault, faultAt, isNode, type Node, type Source, textOf } from './source.ts';

/** RxJS functions that start timers, with the number of arguments from which on they do. */
const timeTaking: Readonly<Record<string, number>> = {
  timer: 1,
  interval: 0,
  delay: 1,
  debounceTime: 1,
  throttleTime: 1,
  auditTime: 1,
  sampleTime: 1,
  bufferTime: 1,
  windowTime: 1,
  timeout: 1,
  timeInterval: 0,
  timestamp: 0,
};

/**
 * Every time-taking RxJS function is given the runtime's scheduler, else virtual time does not
 * reach it; `retry` and `repeat` hide a timer when their `delay` is a number. Where there is no virtual
 * time, in the files that touch the outside, they may go without.
 */
export function schedulerFaults(source: Source): Fault[] {
  if (outside.test(source.path)) return [];
  const fromRxjs = new Set(source.imports.filter(({ from }) => from === 'rxjs').flatMap(({ names }) => names));
  return source.nodes.flatMap(({ node }) => {
    const { callee } = node;
    if (node.type !== 'CallExpression' || !isNode(callee) || !Array.isArray(node['arguments'])) return [];
    const name = String(callee['name']);
    if (!fromRxjs.has(name)) return [];
    const given = node['arguments'].filter(isNode);
    const from = timeTaking[name];
    if (from !== undefined && given.length >= from && !given.some((argument) => /scheduler/i.test(textOf(source, argument)))) {
      return [faultAt(source, node, 'scheduler', `${name} without a scheduler: pass runtime.scheduler last`)];
    }
    if ((name === 'retry' || name === 'repeat') && given.some(hasDelayNumber)) {
      return [faultAt(source, node, 'scheduler', `${name} with a number as delay: give a function, timer(ms, runtime.scheduler)`)];
    }
    const replays = name === 'shareReplay' && given.some((argument) => /windowTime/.test(textOf(source, argument)) || given.length > 1);
    if (replays && !/scheduler/i.test(textOf(source, node))) {
      return [faultAt(source, node, 'scheduler', 'shareReplay with a window but without a scheduler: add scheduler: runtime.scheduler')];
    }
    return [];
  });
}

function hasDelayNumber(argument: Node): boolean {
  if (argument.type !== 'ObjectExpression' || !Array.isArray(argument['properties'])) return false;
  return argument['properties']
    .filter(isNode)
    .some(({ key, value }) => isNode(key) && key['name'] === 'delay' && isNode(value) && !/Function|Identifier/.test(value.type));
}
