import { lastValueFrom, type Observable } from 'rxjs';

/** Resolves when text has been taken; nothing is written if it is empty. */
export async function written(write: (text: string) => Observable<void>, text: string): Promise<void> {
  if (text !== '') await lastValueFrom(write(text), { defaultValue: undefined });
}
