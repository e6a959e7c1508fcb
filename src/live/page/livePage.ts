import type { Doing, News } from '../news.ts';
import type { Make, PageDocument, PageElement, PageEvents, PageWindow, Texts } from './browser.ts';
import type { EventTable } from './eventTable.ts';
import type { MarbleLane } from './marbleLane.ts';
import type { Plots } from './plots.ts';
import type { ShardCard, ShardCardParts } from './shardCard.ts';

export interface LivePageParts {
  readonly makerOf: (document: PageDocument) => Make;
  readonly textsOf: () => Texts;
  readonly marbleLane: (window: PageWindow, make: Make, texts: Texts) => MarbleLane;
  readonly plots: (make: Make, texts: Texts) => Plots;
  readonly shardCard: (parts: ShardCardParts, index: number, total: number) => ShardCard;
  readonly eventTable: (document: PageDocument, make: Make, texts: Texts) => EventTable;
}

/** Listens to the news and hands them to the parts of the page. */
export function livePage(window: PageWindow, parts: LivePageParts): void {
  const { document } = window;
  const [make, texts] = [parts.makerOf(document), parts.textsOf()];
  const element = (id: string): PageElement => document.getElementById(id) as PageElement;
  const [shards, connection, memory, hold, spoken] = ['shards', 'connection', 'memory', 'hold', 'spoken'].map(element) as [
    PageElement,
    PageElement,
    PageElement,
    PageElement,
    PageElement,
  ];
  const table = parts.eventTable(document, make, texts);
  const cards = new Map<number, ShardCard>();
  // What to look at first, when a tab is all that is seen of the page.
  const worstFirst: readonly Doing['word'][] = [
    'backing off',
    'paused',
    'stopped',
    'waiting',
    'draining',
    'starting',
    'listing',
    'watching',
  ];
  const againMs = 5_000;
  let events: PageEvents | undefined;
  let ticks = 0;
  let lastMs = 0;
  let isLost = false;

  const say = (text: string): void => {
    spoken.textContent = text;
  };
  const cardOf = (index: number, total: number): ShardCard => {
    const known = cards.get(index);
    if (known !== undefined) return known;
    const [lane, plots] = [parts.marbleLane(window, make, texts), parts.plots(make, texts)];
    const card = parts.shardCard({ window, make, texts, lane, plots, say }, index, total);
    cards.set(index, card);
    shards.append(card.element);
    return card;
  };
  const titleOf = ({ shards: all }: News): string => {
    const word = worstFirst.find((each) => all.some((shard) => shard.word === each)) ?? 'starting';
    const where = all.filter((shard) => shard.word === word).map(({ index }) => index);
    return `${where.length === all.length ? '' : `shard ${where.join(', ')} `}${word} - kube-sluice`;
  };
  const show = (news: News): void => {
    lastMs = news.atMs;
    if (isLost) say('Connected again');
    isLost = false;
    shards.classList.toggle('stale', false);
    connection.textContent = `▶ Live, ${texts.time(news.atMs)} UTC`;
    connection.className = 'live';
    memory.textContent = `kube-sluice ${news.version}, ${texts.megabytes(news.rssMb)} of memory${news.memoryLimitMb === null ? '' : ` of at most ${texts.megabytes(news.memoryLimitMb)}`}`;
    for (const shard of news.shards) cardOf(shard.index, shard.total).show(news, shard);
    table.take(news);
    // What moves is drawn four times a second; what is to be read, once.
    if (news.type === 'all' || ++ticks % 4 === 0) {
      for (const card of cards.values()) card.draw();
      table.draw();
      document.title = titleOf(news);
    }
  };
  const listen = (): void => {
    const heard = new window.EventSource('news');
    events = heard;
    heard.addEventListener('message', ({ data }) => show(JSON.parse(data) as News));
    heard.addEventListener('error', () => {
      const shown = lastMs === 0 ? '' : ` The page shows ${texts.time(lastMs)} UTC.`;
      connection.textContent = `■ Not connected: the process has ended, or the way to it; it is tried again.${shown}`;
      connection.className = 'lost';
      document.title = 'not connected - kube-sluice';
      shards.classList.toggle('stale', true);
      if (!isLost) say('Not connected');
      isLost = true;
      // Refused with a status, such as by a server that has enough viewers: the browser gives up.
      if (heard.readyState === 2) window.setTimeout(() => events === heard && listen(), againMs);
    });
  };

  hold.addEventListener('click', () => {
    const isLive = events !== undefined;
    events?.close();
    events = undefined;
    hold.textContent = isLive ? 'Go on' : 'Hold still';
    hold.setAttribute('aria-pressed', String(isLive));
    connection.textContent = isLive ? `❚❚ Held still at ${texts.time(lastMs)} UTC. The shard goes on.` : '';
    document.title = 'held still - kube-sluice';
    connection.className = 'lost';
    if (!isLive) listen();
  });
  listen();
}
