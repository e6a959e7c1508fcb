import type { Doing, Happening, News, Point, ShardNews } from '../news.ts';
import type { Make, PageElement, PageWindow, Texts } from './browser.ts';
import type { MarbleLane } from './marbleLane.ts';
import type { Plots } from './plots.ts';

/** All of one shard but its rows of the table. */
export interface ShardCard {
  readonly element: PageElement;
  /** Shows what moves, and takes note of the rest. */
  show(news: News, shard: ShardNews): void;
  /** Shows the rest. */
  draw(): void;
}

export interface ShardCardParts {
  readonly window: PageWindow;
  readonly make: Make;
  readonly texts: Texts;
  readonly lane: MarbleLane;
  readonly plots: Plots;
  /** Says something to those who cannot see it change. */
  readonly say: (text: string) => void;
}

/** Shows what a shard does, in words first. */
export function shardCard({ make, texts, lane, plots, say }: ShardCardParts, index: number, total: number): ShardCard {
  const rateMs = 5_000;
  const lateMs = 30_000;
  const happeningsShown = 8;
  // A shape for each, so that no colour is needed.
  const shapes: Readonly<Record<Doing['word'], string>> = {
    starting: '○',
    waiting: '◷',
    listing: '≡',
    watching: '▶',
    'backing off': '↻',
    paused: '❚❚',
    draining: '▽',
    stopped: '■',
  };
  const name = total === 1 ? 'The only shard' : `Shard ${index} of ${total}`;
  const peers = make('span', 'peers', ...Array.from({ length: total > 64 ? 0 : total }, (_, at) => make('i', at === index ? 'own' : '')));
  peers.setAttribute('aria-hidden', 'true');
  const [state, why, since] = [make('strong', 'state', ''), make('span', 'why', ''), make('span', 'since', '')];
  const alerts = make('div', 'alerts');
  const readers = make('ul', 'readers');
  const facts = make('dl', 'facts');
  const list = make('ol', 'happenings');
  const heading = make('h2', '', name);
  heading.setAttribute('id', `shard-${index}`);
  const element = make(
    'section',
    'shard',
    make('header', '', heading, peers, make('p', 'doing', state, since, why)),
    alerts,
    lane.element,
    make('div', 'sides', make('div', '', facts, readers), make('div', '', make('h3', '', 'Lately'), list)),
    plots.element,
  );
  element.setAttribute('aria-labelledby', `shard-${index}`);
  let word = '';
  let points: Point[] = [];
  let happened: Happening[] = [];
  let totals: { readonly atMs: number; readonly shard: ShardNews }[] = [];

  const fact = (term: string, value: string, note = ''): PageElement =>
    make('div', '', make('dt', '', term), make('dd', '', value, ...(note === '' ? [] : [make('small', '', note)])));
  const perSecond = (of: (shard: ShardNews) => number): number => {
    const [first, last] = [totals[0], totals.at(-1)];
    if (first === undefined || last === undefined || last.atMs === first.atMs) return 0;
    return (1_000 * Math.max(of(last.shard) - of(first.shard), 0)) / (last.atMs - first.atMs);
  };
  const ago = (sinceMs: number, atMs: number): string => texts.duration(Math.max(atMs - sinceMs, 0));
  /** What should not be overlooked, each with its age. */
  const alertsOf = (shard: ShardNews, atMs: number): readonly string[] => {
    const { sinkTrouble, sinkTroubleMs, standsMs, lagMs } = shard;
    return [
      ...(sinkTrouble === ''
        ? []
        : [`The sink has not stored for ${ago(sinkTroubleMs, atMs)}, since ${texts.time(sinkTroubleMs)} UTC: ${sinkTrouble}`]),
      ...(standsMs < lateMs ? [] : [`The position has stood still for ${texts.duration(standsMs)}: its oldest event is not acknowledged.`]),
      ...(lagMs < lateMs ? [] : [`No checkpoint has been saved for ${texts.duration(lagMs)}: a restart would read all that again.`]),
    ];
  };
  const showFacts = (shard: ShardNews): void => {
    const [scope, at] = shard.positions[0] ?? ['', 'none yet'];
    const more = shard.positions.length > 1 ? `in ${scope}, and ${shard.positions.length - 1} more` : scope === '' ? '' : `in ${scope}`;
    const lag = shard.keptIn === 'none' ? 'none is kept' : shard.lagMs === 0 ? 'saved' : texts.duration(shard.lagMs);
    const oldest =
      shard.standsMs > 2_000
        ? `the position has stood still for ${texts.duration(shard.standsMs)}`
        : texts.megabytes(shard.inFlightBytes / 1e6);
    facts.replaceChildren(
      fact('Position', at, more),
      fact('Checkpoint lag', lag, shard.keptIn === 'none' ? '' : `kept in ${shard.keptIn}`),
      fact('In flight', texts.count(shard.inFlight), shard.inFlight === 0 ? '' : oldest),
      fact('Stored', texts.count(shard.stored), `of ${texts.count(shard.received)} read, ${texts.count(shard.filtered)} of other shards`),
      fact(
        'Repeats, refused',
        `${texts.count(shard.repeated)}, ${texts.count(shard.refused)}`,
        'left out as read before; can never be stored',
      ),
      fact('Gaps', texts.count(shard.gaps), shard.lastGap),
      fact('Sink', shard.sink === '' ? 'not known' : shard.sink, shard.sinkTrouble === '' ? '' : `does not store, ${shard.sinkTrouble}`),
      fact('Pods known', texts.count(shard.pods)),
    );
  };
  const showHappenings = (): void => {
    list.replaceChildren(
      ...happened
        .slice(-happeningsShown)
        .reverse()
        .map(({ atMs, level, text }) =>
          make(
            'li',
            level,
            make('time', '', texts.time(atMs)),
            level === 'note' ? '' : make('b', '', level === 'trouble' ? 'Trouble: ' : 'Note: '),
            make('bdi', '', text),
          ),
        ),
    );
  };

  const draw = (): void => {
    const last = totals.at(-1);
    if (last === undefined) return;
    const { shard, atMs } = last;
    why.textContent = shard.why;
    since.textContent = `for ${ago(shard.sinceMs, atMs)}, since ${texts.time(shard.sinceMs)} UTC${shard.why === '' ? '' : ': '}`;
    alerts.replaceChildren(...alertsOf(shard, atMs).map((text) => make('p', 'alert', make('bdi', '', text))));
    readers.replaceChildren(
      ...shard.readers.map((reader) =>
        make(
          'li',
          '',
          make('b', '', reader.source),
          ` ${shapes[reader.word]} ${reader.word} for ${ago(reader.sinceMs, atMs)}${reader.why === '' ? '' : ', '}`,
          make('bdi', '', reader.why),
        ),
      ),
    );
    showFacts(shard);
  };

  return {
    element,
    show({ type, atMs, pointMs, pointsMax }, shard) {
      if (type === 'all') [points, happened, totals] = [[], [], []];
      totals = [...totals.filter((each) => each.atMs > atMs - rateMs), { atMs, shard }];
      const lastPoint = points.at(-1)?.[0] ?? 0;
      points = [...points, ...shard.points.filter(([at]) => at > lastPoint)].slice(-pointsMax);
      const lastHappened = happened.at(-1)?.id ?? 0;
      const fresh = shard.happenings.filter(({ id }) => id > lastHappened);
      happened = [...happened, ...fresh].slice(-happeningsShown);
      if (fresh.length > 0 || type === 'all') showHappenings();
      if (word !== shard.word) {
        if (word !== '') say(`${name} is ${shard.word}${shard.why === '' ? '' : `: ${shard.why}`}`);
        word = shard.word;
        element.dataset['state'] = word.replace(' ', '-');
        state.textContent = `${shapes[shard.word]} ${word}`;
        draw();
      }
      lane.show(shard, {
        received: perSecond(({ received }) => received),
        leftOut: perSecond(({ filtered, repeated }) => filtered + repeated),
        stored: perSecond(({ stored }) => stored),
      });
      if (shard.points.length > 0) plots.show(points, atMs, pointMs * pointsMax);
    },
    draw,
  };
}
