/** The little of a browser's document that the page uses; the types of the whole would hold for the whole program. */
export interface PageDocument {
  getElementById(id: string): PageElement | null;
  createElement(tag: string): PageElement;
}

export interface PageElement {
  textContent: string | null;
  value: string;
  hidden: boolean;
  className: string;
  tabIndex: number;
  readonly dataset: Record<string, string>;
  readonly children: { readonly length: number; item(index: number): PageElement | null };
  append(...nodes: readonly PageElement[]): void;
  replaceChildren(): void;
  setAttribute(name: string, value: string): void;
  addEventListener(type: string, listener: () => void): void;
  focus(): void;
}

/** What the page is given: a row for each event of the sample, newest first. */
export interface PageData {
  readonly rows: readonly PageRow[];
}

/** Time, type, reason, namespace, object, workload, count, message. */
export type PageRow = readonly (string | number)[];

/**
 * Fills the event table, a hundred rows at a time, with what a search finds. This function is the whole script of a
 * report: its text is put into the page, so it sees nothing but what it is given. What events say only ever becomes
 * text, never markup.
 */
export function page(document: PageDocument): void {
  const rowsPerPage = 100;
  const columns = ['Time (UTC)', 'Type', 'Reason', 'Namespace', 'Object', 'Workload', 'Count', 'Message'];
  const [typeColumn, headColumn] = [1, 2];
  const element = (id: string): PageElement => document.getElementById(id) as PageElement;
  const { rows } = JSON.parse(element('event-rows').textContent ?? '') as PageData;
  const texts = rows.map((row) => row.join('\n').toLowerCase());
  const [search, type, body, found, more] = [element('search'), element('type'), element('event-body'), element('found'), element('more')];
  let matching: readonly number[] = [];
  let shown = 0;

  const isWarning = (row: PageRow): boolean => row[typeColumn] === 'Warning';
  const cellOf = (value: string | number, column: number): PageElement => {
    const cell = document.createElement(column === headColumn ? 'th' : 'td');
    if (column === headColumn) cell.setAttribute('scope', 'row');
    cell.dataset['column'] = columns[column] ?? '';
    const isolated = document.createElement('bdi');
    isolated.textContent = String(value);
    cell.append(isolated);
    return cell;
  };
  const rowOf = (row: PageRow): PageElement => {
    const line = document.createElement('tr');
    if (isWarning(row)) line.className = 'warning';
    line.append(...row.map(cellOf));
    return line;
  };
  const showMore = (): void => {
    const next = matching.slice(shown, shown + rowsPerPage);
    body.append(...next.map((index) => rowOf(rows[index] ?? [])));
    shown += next.length;
    more.hidden = shown >= matching.length;
    more.textContent = `Show ${Math.min(rowsPerPage, matching.length - shown)} more`;
  };
  const find = (): void => {
    const words = search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    matching = rows.flatMap((row, index) => {
      const isOfType = type.value === '' || isWarning(row) === (type.value === 'Warning');
      return isOfType && words.every((word) => texts[index]?.includes(word) === true) ? [index] : [];
    });
    body.replaceChildren();
    shown = 0;
    showMore();
    const [few, all] = [matching, rows].map(({ length }) => length.toLocaleString('en-US'));
    found.textContent = `${few} of ${all} events`;
  };

  search.addEventListener('input', find);
  type.addEventListener('change', find);
  more.addEventListener('click', () => {
    const at = body.children.length;
    showMore();
    const first = body.children.item(at);
    // Reading goes on at the first new row; the button may be gone.
    if (first !== null) {
      first.tabIndex = -1;
      first.focus();
    }
  });
  find();
}
