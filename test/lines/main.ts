import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/simulator/seededRandom.ts';
import { judge } from './judge.ts';
import { oddLine } from './oddLines.ts';

const { values } = parseArgs({ options: { lines: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } } });
const random = seededRandom(Number(values.seed));
const verdicts = { left: 0, confirmed: 0, broken: 0 };
for (let line = 0; line < Number(values.lines); line++) verdicts[judge(oddLine(random))] += 1;
process.stdout.write(`${JSON.stringify(verdicts)}\n`);
