// A sink of one's own, a table in SQLite, that keeps the promise: each revision stands in it exactly once.
import { DatabaseSync } from 'node:sqlite';
import { type PipelinePorts, pipeline, type Sink } from 'kube-sluice';
import { memoryStore, simulatedCluster } from 'kube-sluice/testing';
import { defer, NEVER, of } from 'rxjs';

/** Stores entries as rows. A row's key is the entry's, so a batch that comes twice is stored once. */
function sqlite(database: DatabaseSync): Sink {
  database.exec('CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, at TEXT, severity TEXT, payload TEXT) STRICT');
  const insert = database.prepare('INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?)');
  return {
    identity: 'sqlite',
    write: (batch) =>
      // Nothing happens before somebody subscribes, and a retry subscribes again.
      defer(() => {
        try {
          database.exec('BEGIN');
          for (const { insertId, timestamp, severity, payload } of batch)
            insert.run(insertId, timestamp, severity, JSON.stringify(payload));
          database.exec('COMMIT');
          return of(batch.map(() => ({ type: 'stored' }) as const)); // The acknowledgement: only now may the position move.
        } catch {
          if (database.isTransaction) database.exec('ROLLBACK');
          return of(batch.map(() => ({ type: 'retry', reason: 'database' }) as const)); // Comes again, later and later.
        }
      }),
  };
}

// The program dies twice while it runs, and starts again from its checkpoint.
const cluster = simulatedCluster({ pods: 30 });
const database = new DatabaseSync(':memory:');
let sent = 0;
const table = sqlite(database);
const counted: Sink = {
  ...table,
  write: (batch) => {
    sent += batch.length;
    return table.write(batch);
  },
};
const ports: PipelinePorts = { transport: cluster.transport, sink: counted, store: memoryStore() };
for (let life = 0; life < 3; life++) {
  const running = pipeline({ shard: { index: 0, total: 1 } }, ports, NEVER, cluster.runtime).subscribe();
  await cluster.live(60_000);
  if (life < 2) running.unsubscribe(); // As a crash does: nothing is flushed, nothing is saved.
}
await cluster.rest(5_000); // What is on its way arrives.
const { rows = 0 } = database.prepare('SELECT count(*) AS rows FROM events').get() ?? {};
const revisions = cluster.server.writes.filter(({ kind, type }) => kind === 'Event' && type !== 'DELETED').length;
console.log(`the cluster wrote ${revisions} revisions, the table has ${Number(rows)}`);
console.log(sent > Number(rows) ? 'some were sent twice, none stands there twice' : 'nothing was sent twice');
