import { page } from './markdown.ts';
import { type NameGroup, type PublicName, publicNames } from './publicNames.ts';

const entries = [
  { from: 'kube-sluice', entry: 'src/index.ts', prefix: '' },
  { from: 'kube-sluice/testing', entry: 'src/testing.ts', prefix: 'testing-' },
];

const groups = entries.flatMap(({ from, entry, prefix }) =>
  publicNames(entry).map((group) => ({ ...group, from, file: `${prefix}${slug(group.title)}.md` })),
);

/** Every exported name, for whoever has to look at all of them. */
export const allNames: readonly PublicName[] = groups.flatMap(({ names }) => names);

/** The pages of docs/reference by name: one for each group of exports, and one that lists them. */
export const referencePages: Readonly<Record<string, () => string>> = {
  'README.md': contents,
  ...Object.fromEntries(groups.map((group) => [group.file, () => groupPage(group)])),
};

function contents(): string {
  const lines = groups.map(({ title, from, file, names }) => {
    const linked = names.map(({ name }) => `[\`${name}\`](${file}#${name.toLowerCase()})`);
    return `**[${title}](${file})**, from \`${from}\`: ${linked.join(', ')}`;
  });
  return page('# Reference', 'Every name that the package exports, as its source says it.', ...lines);
}

function groupPage({ title, from, names }: NameGroup & { readonly from: string }): string {
  return page(`# ${title}`, `\`import { ... } from '${from}'\`. All names: [reference](README.md).`, ...names.map(section));
}

function section({ name, path, doc, declaration }: PublicName): string {
  return [`## ${name}`, ...paragraphs(doc), `\`\`\`ts\n${declaration}\n\`\`\``, `In [${path}](../../${path}).`].join('\n\n');
}

/** Diagrams become blocks of their own, and the facts about state, time, order and errors a list. */
function paragraphs(doc: string): readonly string[] {
  return doc
    .split(/\n{2,}/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('    ')) return `\`\`\`text\n${part.replace(/^ {4}/gm, '')}\n\`\`\``;
      if (!/^(State|Time|Order|Errors|Source): /.test(part)) return part;
      return part
        .replace(/\n/g, ' ')
        .replace(
          /(^|\. )(State|Time|Order|Errors|Source): /g,
          (_, end: string, fact: string) => `${end === '' ? '' : '.\n'}- **${fact}**: `,
        );
    });
}

function slug(title: string): string {
  return (/^\w+/.exec(title)?.[0] ?? '').toLowerCase();
}
