import type { Marble, News } from '../news.ts';
import type { Make, PageDocument, PageElement, Texts } from './browser.ts';

/** The table of the last events, newest first, with its filters. */
export interface EventTable {
  /** Takes note of what is new. */
  take(news: News): void;
  /** Brings the table up to date. */
  draw(): void;
}

/** Keeps a row for each marble, says in it where the event is, and hides what the filters leave out. */
export function eventTable(document: PageDocument, make: Make, texts: Texts): EventTable {
  const element = (id: string): PageElement => document.getElementById(id) as PageElement;
  const [search, type, where, shardFilter, body, found] = ['search', 'type', 'where', 'shard', 'event-body', 'found'].map(element) as [
    PageElement,
    PageElement,
    PageElement,
    PageElement,
    PageElement,
    PageElement,
  ];
  const places = { join: '◌ at the join', queue: '… in the queue', sink: '→ at the sink', stored: '✓ stored', refused: '× refused' };
  const letters: Readonly<Record<string, string>> = { Normal: 'N', Warning: 'W', Gap: 'G' };
  const rows = new Map<string, { readonly row: PageElement; readonly shard: string; marble: Marble; text: string }>();
  const pending = new Map<string, { readonly shard: string; readonly marble: Marble }>();
  let [shardsShown, rowsMax] = [0, 0];

  const cell = (label: string, text: string, tag = 'td'): PageElement => {
    const made = make(tag, '', make('bdi', '', text));
    made.dataset['column'] = label;
    if (tag === 'th') made.setAttribute('scope', 'row');
    return made;
  };
  const typeOf = (marble: Marble): PageElement => {
    const letter = letters[marble.type] ?? (marble.type === '' ? '' : '?');
    const made = cell('Type', marble.type === '' ? 'not read yet' : marble.type);
    made.prepend(
      make(
        'i',
        `marble ${marble.type === 'Warning' ? 'warning' : marble.type === 'Normal' ? 'normal' : marble.type === 'Gap' ? 'gap' : 'other'}`,
        make('span', '', letter),
      ),
    );
    return made;
  };
  const cellsOf = (shard: string, marble: Marble): readonly PageElement[] => [
    cell('Read (UTC)', texts.time(marble.atMs)),
    cell('Shard', shard),
    typeOf(marble),
    cell('Reason', marble.reason, 'th'),
    cell('Where', `${places[marble.place]}${marble.retries > 0 ? `, asked ${marble.retries} times more` : ''}`),
    cell('Namespace', marble.namespace),
    cell('Object', marble.object),
    cell('Workload', marble.workload),
    cell('Count', String(marble.count)),
    cell('Message', marble.message),
  ];
  const isWanted = ({ shard, marble, text }: { readonly shard: string; readonly marble: Marble; readonly text: string }): boolean => {
    const isOver = marble.place === 'stored' || marble.place === 'refused';
    if (shardFilter.value !== '' && shardFilter.value !== shard) return false;
    if (type.value !== '' && (type.value === 'Other' ? marble.type === 'Normal' || marble.type === 'Warning' : marble.type !== type.value))
      return false;
    if (where.value !== '' && (where.value === 'way' ? isOver : marble.place !== where.value)) return false;
    return search.value
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  };
  const find = (): void => {
    let count = 0;
    for (const each of rows.values()) {
      each.row.hidden = !isWanted(each);
      if (!each.row.hidden) count += 1;
    }
    found.textContent = `${count} of ${rows.size} events`;
  };
  const put = (shard: string, marble: Marble): void => {
    const key = `${shard} ${marble.id}`;
    const known = rows.get(key);
    const text = Object.values(marble).join('\n').toLowerCase();
    if (known === undefined) {
      const row = make('tr', '', ...cellsOf(shard, marble));
      body.prepend(row);
      rows.set(key, { row, shard, marble, text });
      return;
    }
    known.marble = marble;
    known.text = text;
    known.row.replaceChildren(...cellsOf(shard, marble));
  };
  const offerShards = (news: News): void => {
    if (shardsShown === news.shards.length) return;
    shardsShown = news.shards.length;
    const option = (value: string, text: string): PageElement => {
      const made = make('option', '', text);
      made.value = value;
      return made;
    };
    shardFilter.replaceChildren(option('', 'All'), ...news.shards.map(({ index }) => option(String(index), String(index))));
  };

  for (const input of [search, type, where, shardFilter]) input.addEventListener('input', find);
  return {
    take(news) {
      offerShards(news);
      rowsMax = news.marblesMax;
      if (news.type === 'all') {
        rows.clear();
        pending.clear();
        body.replaceChildren();
      }
      for (const { index, marbles } of news.shards)
        for (const marble of marbles) pending.set(`${index} ${marble.id}`, { shard: String(index), marble });
    },
    draw() {
      if (pending.size === 0) return;
      const all = [...pending.values()].sort((a, b) => a.marble.atMs - b.marble.atMs);
      pending.clear();
      for (const { shard, marble } of all.slice(-rowsMax)) put(shard, marble);
      for (const [key, { row }] of rows) {
        if (rows.size <= rowsMax) break;
        row.remove();
        rows.delete(key);
      }
      find();
    },
  };
}
