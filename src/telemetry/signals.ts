import type { Gap, RelistCause } from '../model/change.ts';
import type { ResourceVersion } from '../model/resourceVersion.ts';
import type { Shard } from '../model/shard.ts';

/** Which reader: `events`, `pods`, or the name of a user's own. */
export type SourceName = string;

/** Why an attempt to list or watch ended. */
export type EndCause = 'closed' | 'silent' | 'broken' | 'status' | 'expired' | 'invalid';

/**
 * Everything worth telling, as data. Each has one log line of fixed text, its metrics, and its part
 * in the probes; see logger.ts, metrics.ts and health.ts. Never event text, never a secret.
 */
export type Signal =
  // The process.
  | { readonly type: 'started'; readonly version: string; readonly shard: Shard; readonly sink: string; readonly checkpoint: string }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'drainStarted'; readonly inFlight: number }
  | { readonly type: 'failed'; readonly code: string; readonly message: string; readonly stack?: string }
  | { readonly type: 'stopped'; readonly code: number; readonly unacknowledged: number }
  // The shard's claim. While it waits the container is ready, but it reads and sends nothing.
  | { readonly type: 'shardWaiting'; readonly cause: 'held' | 'otherMap'; readonly claim: string; readonly holder: string }
  | { readonly type: 'shardHeld'; readonly claim: string; readonly token: number; readonly takenOver: boolean; readonly waitedMs: number }
  | { readonly type: 'positionsRead'; readonly resumed: boolean; readonly from: Readonly<Record<string, ResourceVersion | 'earliest'>> }
  | { readonly type: 'claimRetrying'; readonly reason: string; readonly attempt: number; readonly waitMs: number }
  // Readers.
  | { readonly type: 'listStarted'; readonly source: SourceName; readonly cause: RelistCause; readonly by: 'stream' | 'pages' }
  | { readonly type: 'listDone'; readonly source: SourceName; readonly resourceVersion: ResourceVersion; readonly items: number }
  | {
      readonly type: 'listFailed';
      readonly source: SourceName;
      readonly cause: EndCause;
      readonly status?: number;
      readonly failures: number;
      readonly waitMs: number;
      readonly message: string;
    }
  | { readonly type: 'watchOpened'; readonly source: SourceName; readonly resumeFrom: ResourceVersion }
  | {
      readonly type: 'watchEnded';
      readonly source: SourceName;
      readonly cause: EndCause;
      readonly status?: number;
      readonly resumeFrom: ResourceVersion;
      readonly waitMs: number;
      readonly message?: string;
    }
  | { readonly type: 'attempted'; readonly source: SourceName }
  // `times`: how many of them; absent: one.
  | { readonly type: 'frameRead'; readonly source: SourceName; readonly bytes: number; readonly times?: number | undefined }
  | {
      readonly type: 'frameSkipped';
      readonly source: SourceName;
      readonly cause: 'oversized' | 'torn' | 'notWatchEvent' | 'undecodable';
      readonly bytes: number;
    }
  | { readonly type: 'readerPaused'; readonly paused: boolean }
  | {
      readonly type: 'storeRestored';
      readonly source: SourceName;
      readonly position: ResourceVersion;
      readonly resourceVersion: ResourceVersion;
    }
  | { readonly type: 'versionOpaque'; readonly source: SourceName; readonly resourceVersion: ResourceVersion }
  // Occurrences: received = stored + refused + filtered + repeated + in flight.
  | { readonly type: 'received'; readonly bytes: number; readonly times?: number | undefined }
  | { readonly type: 'filtered'; readonly times?: number | undefined }
  | { readonly type: 'repeated' }
  | { readonly type: 'gapDeclared'; readonly gap: Gap }
  | { readonly type: 'refused'; readonly uid: string; readonly resourceVersion: ResourceVersion; readonly reason: string }
  | { readonly type: 'inFlight'; readonly occurrences: number; readonly bytes: number }
  | { readonly type: 'positionMoved'; readonly scope: string; readonly at: ResourceVersion }
  | { readonly type: 'checkpointSaving' }
  | { readonly type: 'checkpointSaved'; readonly positions: number }
  // Pods and owners.
  | { readonly type: 'podsSynced'; readonly pods: number }
  | { readonly type: 'podSyncTimedOut'; readonly afterMs: number }
  | { readonly type: 'podCache'; readonly operation: 'add' | 'evict' | 'queryhit' | 'querymiss' }
  | { readonly type: 'podCacheSize'; readonly pods: number; readonly owners: number }
  | { readonly type: 'foreignPod' }
  | { readonly type: 'ownerAsked'; readonly found: boolean }
  | {
      readonly type: 'ownerMissed';
      readonly cause: 'waitLimit' | 'queueLimit' | 'failed';
      readonly status?: number;
      readonly message?: string;
    }
  // Sink. `requestAnswered` is for sinks that send requests; the code is the answer's, a closed set of words.
  | { readonly type: 'requestAnswered'; readonly code: string }
  | { readonly type: 'batchAnswered'; readonly stored: number; readonly refused: number; readonly retried: number; readonly tookMs: number }
  | { readonly type: 'stored'; readonly entries: number; readonly oldestTimestamp: string }
  | { readonly type: 'sinkRetrying'; readonly reason: string; readonly attempt: number; readonly waitMs: number };
