import type { Marble, ShardNews } from '../news.ts';
import type { Make, PageElement, PageWindow, Texts } from './browser.ts';

/** The drawing of one shard: its stations, and the marbles on their way. */
export interface MarbleLane {
  readonly element: PageElement;
  /** `perSecond`: what is received, left out and stored. */
  show(news: ShardNews, rates: LaneRates): void;
}

export interface LaneRates {
  readonly received: number;
  readonly leftOut: number;
  readonly stored: number;
}

/** Draws marbles that roll from station to station; where they wait they queue, what is not this shard's falls out. */
export function marbleLane(window: PageWindow, make: Make, texts: Texts): MarbleLane {
  const names = ['Reader', 'Shard filter', 'Owner join', 'Queue', 'Sink', 'Stored'];
  const [readerAt, filterAt, joinAt, queueAt, sinkAt, storedAt] = [0, 1, 2, 3, 4, 5];
  const placed = { join: joinAt, queue: queueAt, sink: sinkAt, stored: storedAt, refused: sinkAt };
  const [rows, rowPx, topPx, fallersMax, queuedMax, drawnMax] = [5, 21, 10, 3, 60, 60];
  const endMs = 1_600;
  const numbers = names.map(() => make('b', 'number', ''));
  const notes = names.map(() => make('span', 'unit', ''));
  const track = make('div', 'track');
  const stations = make(
    'ol',
    'stations',
    ...names.map((name, at) => make('li', '', make('span', 'station', name), numbers[at] as PageElement, notes[at] as PageElement)),
  );
  const element = make('div', 'lane', stations, track);
  track.setAttribute('aria-hidden', 'true');
  const shown = new Map<number, { readonly marble: PageElement; place: Marble['place'] }>();
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  let before = { filtered: -1, repeated: -1 };
  let newest = 0;

  const move = (marble: PageElement, station: number, slot: number): void => {
    const width = track.clientWidth / names.length;
    const perRow = Math.max(Math.floor((width - 8) / rowPx), 1);
    const [column, row] = [Math.floor(slot / rows) % perRow, slot % rows];
    // Queues grow against the stream, so that the first is in front.
    const x = station * width + width - (column + 1) * rowPx - 4;
    marble.style.transform = `translate(${Math.round(x)}px, ${topPx + row * rowPx}px)`;
  };
  const shapeOf = ({ type, place }: Pick<Marble, 'type' | 'place'>): readonly [kind: string, letter: string] => {
    if (place === 'refused') return ['refused', '×'];
    if (type === 'Warning') return ['warning', 'W'];
    if (type === 'Gap') return ['gap', 'G'];
    return type === 'Normal' ? ['normal', 'N'] : ['other', type === '' ? '' : '?'];
  };
  const paint = (marble: PageElement, of: Marble): void => {
    const [kind, letter] = shapeOf(of);
    marble.className = `marble ${kind}${of.retries > 0 ? ' again' : ''}${of.place === 'stored' ? ' stored' : ''}`;
    marble.replaceChildren(make('span', '', letter));
  };
  const end = (id: number, marble: PageElement): void => {
    shown.delete(id);
    window.setTimeout(() => marble.classList.add('gone'), isStill ? 0 : endMs);
    window.setTimeout(() => marble.remove(), isStill ? endMs / 2 : endMs + 500);
  };
  const roll = (of: Marble, isNew: boolean): void => {
    const known = shown.get(of.id);
    const isOver = of.place === 'stored' || of.place === 'refused';
    if (known === undefined && (!isNew || track.childElementCount >= drawnMax)) return;
    const marble = known?.marble ?? make('i', 'marble');
    paint(marble, of);
    if (known === undefined) {
      move(marble, isStill ? placed[of.place] : readerAt, of.id % rows);
      track.append(marble);
      shown.set(of.id, { marble, place: of.place });
    } else known.place = of.place;
    // A frame later, so that it is seen to set out.
    if (isOver) {
      window.requestAnimationFrame(() => window.requestAnimationFrame(() => move(marble, placed[of.place], of.id % rows)));
      end(of.id, marble);
    }
  };
  const queueUp = (): void => {
    const slots = { join: 0, queue: 0, sink: 0, stored: 0, refused: 0 };
    for (const { marble, place } of shown.values()) move(marble, placed[place], slots[place]++ % queuedMax);
  };
  const drop = (count: number, letter: string): void => {
    const room = isStill ? 0 : drawnMax - track.childElementCount;
    for (let at = 0; at < Math.min(count, fallersMax, room); at++) {
      const faller = make('i', 'marble faller', make('span', '', letter));
      move(faller, readerAt, at);
      track.append(faller);
      window.requestAnimationFrame(() =>
        window.requestAnimationFrame(() => {
          move(faller, filterAt, at);
          faller.classList.add('falls');
        }),
      );
      window.setTimeout(() => faller.remove(), endMs);
    }
  };
  const count = (at: number, number: string, unit: string): void => {
    (numbers[at] as PageElement).textContent = number;
    (notes[at] as PageElement).textContent = unit;
  };

  return {
    element,
    show(news, { received, leftOut, stored }) {
      const isFirst = before.filtered < 0;
      for (const marble of news.marbles) {
        // What has ended before anybody looked is for the table; what came with the first message may be told once more.
        roll(marble, isFirst ? marble.place !== 'stored' && marble.place !== 'refused' : marble.id > newest);
        newest = Math.max(newest, marble.id);
      }
      if (isStill) queueUp();
      else window.requestAnimationFrame(() => window.requestAnimationFrame(queueUp));
      if (!isFirst) {
        drop(news.filtered - before.filtered, '');
        drop(news.repeated - before.repeated, '=');
      }
      before = { filtered: news.filtered, repeated: news.repeated };
      const atJoin = Math.min(news.atJoin, news.inFlight);
      const queued = Math.max(news.inFlight - atJoin - news.atSink, 0);
      count(readerAt, `${texts.rate(received)}`, 'read /\u00a0s');
      count(filterAt, `${texts.rate(leftOut)}`, 'left out /\u00a0s');
      count(joinAt, texts.count(atJoin), atJoin === 1 ? 'waits' : 'wait');
      count(queueAt, texts.count(queued), queued === 1 ? 'waits' : 'wait');
      count(sinkAt, texts.count(news.atSink), 'being stored');
      count(storedAt, texts.rate(stored), 'stored /\u00a0s');
    },
  };
}
