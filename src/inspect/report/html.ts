/** Text that is markup already. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | readonly Html[];

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Markup from a template: whatever is put in is text, unless it is markup made here. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: template.map((markup, index) => markup + (index < parts.length ? markupOf(parts[index] ?? '') : '')).join('') };
}

/** Markup from a trusted maker of markup. */
export function raw(markup: string): Html {
  return { html: markup };
}

/** A value for a script of type application/json: nothing in it can end the script or begin another. */
export function jsonScript(value: unknown): Html {
  return raw(
    JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

function markupOf(part: Part): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return part.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
}
