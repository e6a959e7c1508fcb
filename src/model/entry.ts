import type { ResourceVersion } from './resourceVersion.ts';

/** Severities of Cloud Logging that an Event can have. */
export type Severity = 'INFO' | 'WARNING';

/** A monitored resource of Cloud Logging, without the labels that only the sink knows. */
export interface EntryResource {
  readonly type: 'k8s_pod' | 'k8s_node' | 'k8s_cluster' | 'gke_cluster';
  readonly labels: Readonly<Record<string, string>>;
}

/** What a sink stores: one revision, or one gap record. Equal for equal revisions, whoever makes it and when. */
export interface Entry {
  readonly type: 'entry';
  /** Place in the acknowledgement order; means nothing outside this process. */
  readonly slot: number;
  /** Key in the sink: `<resourceVersion padded with 0 to 20>.<event uid>`. */
  readonly insertId: string;
  /** What happened to the Event; GAP and START are entries of our own. */
  readonly action: 'ADD' | 'UPDATE' | 'GAP' | 'START';
  /** RFC 3339 with the precision as written, up to microseconds. */
  readonly timestamp: string;
  readonly severity: Severity;
  readonly resource: EntryResource;
  /** Owner labels; empty if the event has none. */
  readonly labels: Readonly<Record<string, string>>;
  readonly uid: string;
  readonly resourceVersion: ResourceVersion;
  /** The Event without managedFields, or the gap record's own fields. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Size on the wire, in bytes; batches are cut by it. */
  readonly bytes: number;
}

/** An occurrence that could not become an entry. It is acknowledged as refused and never sent. */
export interface Unreadable {
  readonly type: 'unreadable';
  readonly slot: number;
  readonly uid: string;
  readonly resourceVersion: ResourceVersion;
  readonly reason: 'undecodable';
  readonly bytes: number;
}

/** What comes out of `toEntries`: an entry, or that it could not be one. */
export type Outgoing = Entry | Unreadable;

/** What can never be stored, and why. */
export interface Refusal {
  readonly outgoing: Outgoing;
  readonly reason: string;
}

/** The end of one slot: the sink has it, or never will. */
export interface Ack {
  readonly slot: number;
  readonly outcome: 'stored' | 'refused';
}
