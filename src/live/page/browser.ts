/** The little of a browser that the page uses; the types of the whole would hold for the whole program. */
export interface PageWindow {
  readonly document: PageDocument;
  readonly EventSource: new (url: string) => PageEvents;
  requestAnimationFrame(callback: () => void): number;
  matchMedia(query: string): { readonly matches: boolean };
  setTimeout(callback: () => void, ms: number): number;
  clearTimeout(id: number): void;
}

export interface PageEvents {
  addEventListener(type: string, listener: (message: { readonly data: string }) => void): void;
  close(): void;
  /** 2: closed for good, it does not try again by itself. */
  readonly readyState: number;
}

export interface PageDocument {
  title: string;
  readonly hidden: boolean;
  getElementById(id: string): PageElement | null;
  createElement(tag: string): PageElement;
  createElementNS(namespace: string, tag: string): PageElement;
}

export interface PageElement {
  textContent: string | null;
  value: string;
  hidden: boolean;
  className: string;
  disabled: boolean;
  readonly clientWidth: number;
  readonly style: { transform: string; setProperty(name: string, value: string): void };
  readonly classList: { add(name: string): void; remove(name: string): void; toggle(name: string, on: boolean): void };
  readonly dataset: Record<string, string>;
  readonly lastElementChild: PageElement | null;
  readonly childElementCount: number;
  append(...nodes: readonly (PageElement | string)[]): void;
  prepend(...nodes: readonly PageElement[]): void;
  replaceChildren(...nodes: readonly PageElement[]): void;
  remove(): void;
  setAttribute(name: string, value: string): void;
  addEventListener(type: string, listener: () => void): void;
}

/** Makes elements. What is given as text only ever becomes text. */
export interface Make {
  (tag: string, className?: string, ...children: readonly (PageElement | string)[]): PageElement;
  svg(tag: string, attributes: Readonly<Record<string, string | number>>, ...children: readonly PageElement[]): PageElement;
}

/** Numbers and times as people read them. */
export interface Texts {
  /** `1,234`. */
  count(value: number): string;
  /** `1.2`, `34`, `1,234`. */
  rate(value: number): string;
  /** `850 ms`, `1.2 s`, `3 min`. */
  duration(ms: number): string;
  /** `1.2 MB`. */
  megabytes(mb: number): string;
  /** `12:34:56`, in UTC. */
  time(ms: number): string;
}
