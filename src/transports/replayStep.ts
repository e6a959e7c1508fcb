import type { RequestShape } from './requestShape.ts';

/** What a replay does for a request, given what was recorded next on the same path. */
export type ReplayStep =
  /** Serves the recorded exchange. */
  | 'serve'
  /** Passes over a recorded exchange that this request has no use for. */
  | 'skip'
  /** Answers the version that was reached, and no items. */
  | 'version'
  /** Answers a list of what is there at the version that was reached. */
  | 'list'
  /** The same as a streaming list; then the request goes on as a watch. */
  | 'bracket'
  /** Answers a list by pages from a recorded streaming list. */
  | 'gather'
  /** Answers 410: the reader has to list. */
  | 'expired'
  /** Answers 400: the reader has to list by pages. */
  | 'pages';

/**
 * The rule for requests that differ from the recorded ones, because the reader has other limits, other
 * random times, or starts elsewhere. Recorded lists and watches are served in their order, each once.
 * A watch asked for while the recording lists is told to list; a list asked for while the recording
 * watches is answered with what is there; checks of the version fit in anywhere. Every step either uses
 * up something recorded or answers so that the reader asks for what comes next, so it never goes in circles.
 */
export function replayStep(asked: RequestShape, next: RequestShape): ReplayStep {
  switch (asked.type) {
    case 'check':
      return next.type === 'check' ? 'serve' : 'version';
    case 'watch':
      if (next.type === 'watch') return 'serve';
      return next.type === 'bracket' || (next.type === 'page' && next.token === '') ? 'expired' : 'skip';
    case 'bracket':
      if (next.type === 'bracket') return 'serve';
      if (next.type === 'watch') return 'bracket';
      return next.type === 'page' && next.token === '' ? 'pages' : 'skip';
    case 'page':
      if (next.type === 'page' && next.token === asked.token) return 'serve';
      if (asked.token !== '') return 'expired';
      if (next.type === 'watch') return 'list';
      return next.type === 'bracket' ? 'gather' : 'skip';
    case 'version':
    case 'pod':
      return 'skip';
  }
}
