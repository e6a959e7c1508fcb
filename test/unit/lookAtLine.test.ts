import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lookAtLine } from '../../src/model/lookAtLine.ts';
import { seededRandom } from '../../src/simulator/seededRandom.ts';
import { judge, type Verdict } from '../lines/judge.ts';
import { oddLine } from '../lines/oddLines.ts';

const fixture = (name: string): readonly Buffer[] =>
  readFileSync(new URL(`../fixtures/apiserver-1.36.2/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => Buffer.from(line));

const verdictsOf = (lines: Iterable<Buffer>): Record<Verdict, number> => {
  const verdicts = { left: 0, confirmed: 0, broken: 0 };
  for (const line of lines) verdicts[judge(line)] += 1;
  return verdicts;
};

describe('lookAtLine', () => {
  it('finds the header in every line that a real API server wrote, and leaves bookmarks and errors', () => {
    expect(verdictsOf(fixture('events.json.stream'))).toEqual({ left: 1, confirmed: 218, broken: 0 });
    expect(verdictsOf(fixture('pods.json.stream'))).toEqual({ left: 8, confirmed: 174, broken: 0 });
    expect(verdictsOf(fixture('watch-410.json.stream'))).toEqual({ left: 1, confirmed: 0, broken: 0 });
  });

  it('agrees with a full parse on generated lines of every odd kind', () => {
    const random = seededRandom(20_261_130);

    const verdicts = verdictsOf(Array.from({ length: 20_000 }, () => oddLine(random)));

    expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(100);
  });

  const line = (object: string, type = 'ADDED'): Buffer => Buffer.from(`{"type":"${type}","object":${object}}`);
  const metadata = '"metadata":{"name":"a.1","namespace":"shop","uid":"u","resourceVersion":"7"}';
  const involved = '"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-0","uid":"p"}';
  const header = { uid: 'u', namespace: 'shop', involved: { kind: 'Pod', namespace: 'shop', name: 'web-0', uid: 'p' } };

  const found: readonly [string, Buffer][] = [
    ['as Go writes them', line(`{"kind":"Event",${metadata},${involved},"count":1}`)],
    ['in another order', line(`{${involved},"count":1,${metadata}}`)],
    ['beside look-alikes in a text', line(`{${metadata},${involved},"message":"\\",\\"metadata\\":{\\"uid\\":\\"evil\\"}"}`)],
    [
      'beside look-alikes in deeper objects',
      line(`{"x":{${metadata.replace('"u"', '"evil"')}},${metadata},${involved},"y":[{${involved}}]}`),
    ],
    ['beside texts in any writing', line(`{${metadata},${involved},"message":"caf\u00e9 \\u00e9 \u{1f600}"}`)],
  ];
  for (const [title, bytes] of found) {
    it(`finds the fields ${title}`, () => {
      const look = lookAtLine(bytes);
      expect({ type: look?.type, resourceVersion: look?.resourceVersion, header: look?.header() }).toEqual({
        type: 'ADDED',
        resourceVersion: '7',
        header,
      });
    });
  }

  const left: readonly [string, Buffer][] = [
    ['white space between tokens', line(`{ ${metadata},${involved}}`)],
    ['the outer fields in another order', Buffer.from(`{"object":{${metadata},${involved}},"type":"ADDED"}`)],
    ['a third outer field', Buffer.from(`{"type":"ADDED","object":{${metadata},${involved}},"type":"DELETED"}`)],
    ['metadata twice', line(`{${metadata},${involved},${metadata.replace('"7"', '"8"')}}`)],
    ['a name with an escape', line(`{${metadata},${involved},"metad\\u0061ta":{"resourceVersion":"8"}}`)],
    ['a uid with an escape', line(`{${metadata.replace('"u"', '"\\u0075"')},${involved}}`)],
    ['a uid beyond ASCII', line(`{${metadata.replace('"u"', '"\u00fc"')},${involved}}`)],
    ['a uid that is null', line(`{${metadata.replace('"u"', 'null')},${involved}}`)],
    ['involvedObject that is a list', line(`{${metadata},"involvedObject":[]}`)],
    ['no version', line(`{"metadata":{"uid":"u"},${involved}}`)],
    ['the version 0', line(`{${metadata.replace('"7"', '"0"')},${involved}}`)],
    ['a line cut off', line(`{${metadata},${involved}}`).subarray(0, -1)],
    ['a type of its own', line(`{${metadata},${involved}}`, 'ADDED2')],
    ['nothing', Buffer.alloc(0)],
  ];
  for (const [title, bytes] of left) {
    it(`leaves to a full parse: ${title}`, () => {
      expect(lookAtLine(bytes)).toBeUndefined();
    });
  }

  it('tells no header of an object that is about nothing', () => {
    expect(lookAtLine(line(`{${metadata}}`))?.header()).toBeUndefined();
  });
});
