/** The object an event is about. Missing parts are empty text. */
export interface Involved {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}
