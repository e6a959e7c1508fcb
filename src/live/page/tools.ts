import type { Make, PageDocument, Texts } from './browser.ts';

/** Makes elements of a document; see liveScript for why it sees nothing but what it is given. */
export function makerOf(document: PageDocument): Make {
  const make: Omit<Make, never> = Object.assign(
    (...[tag, className = '', ...children]: Parameters<Make>): ReturnType<Make> => {
      const element = document.createElement(tag);
      if (className !== '') element.className = className;
      element.append(...children);
      return element;
    },
    {
      svg: (...[tag, attributes, ...children]: Parameters<Make['svg']>): ReturnType<Make['svg']> => {
        const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
        element.append(...children);
        return element;
      },
    },
  );
  return make as Make;
}

export function textsOf(): Texts {
  const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
  const short = (value: number): string => (value >= 10 ? whole(value) : value.toFixed(1).replace(/\.0$/, ''));
  return {
    count: whole,
    rate: short,
    duration: (ms) => {
      if (ms < 1_000) return `${Math.round(ms)} ms`;
      if (ms < 60_000) return `${short(ms / 1_000)} s`;
      return ms < 3_600_000 ? `${short(ms / 60_000)} min` : `${short(ms / 3_600_000)} h`;
    },
    megabytes: (mb) => (mb < 1 ? `${Math.round(mb * 1_000)} kB` : mb < 1_000 ? `${short(mb)} MB` : `${short(mb / 1_000)} GB`),
    time: (ms) => new Date(ms).toISOString().slice(11, 19),
  };
}
