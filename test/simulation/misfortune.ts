import type { Fault, FaultTarget } from '../../src/testing.ts';
import type { PlannedFault } from './scenario.ts';
import { unsettle } from './unsettle.ts';
import type { World } from './world.ts';

const events: FaultTarget = { stream: 'events' };

/** Lets the planned faults happen, and undoes those that last. */
export function misfortune(world: World): void {
  const { scenario } = world;
  for (const fault of scenario.faults) {
    world.later(fault.atMs, () => {
      world.tell(`fault: ${fault.kind}${fault.lastsMs > 0 ? `, for ${(fault.lastsMs / 1000).toFixed(1)} s` : ''}`);
      const undo = happen(fault, world);
      if (undo !== undefined) world.later(Math.min(fault.lastsMs, scenario.quietAtMs - fault.atMs), undo);
    });
  }
}

type Undo = (() => void) | undefined;

function happen(fault: PlannedFault, world: World): Undo {
  const { server, sink } = world;
  switch (fault.kind) {
    case 'cut':
      server.endStreams(fault.chance < 0.5 ? 'close' : 'reset');
      return undefined;
    case 'cutMidLine':
      server.endStreams('reset', 'events');
      return always(
        world,
        { ...events, on: ['watch', 'watchList', 'list'] },
        { type: 'cut', afterBytes: Math.floor(fault.chance * 3_000), end: fault.chance < 0.5 ? 'close' : 'reset' },
      );
    case 'silence':
      server.endStreams('reset', 'events');
      return always(world, { ...events, on: 'watch' }, { type: 'silence', afterBytes: Math.floor(fault.chance * 3_000) });
    case 'refused':
      server.endStreams('reset');
      return always(world, {}, { type: 'refuse' });
    case 'tooMany':
      server.endStreams('close');
      return always(world, {}, { type: 'status', status: 429, ...(fault.chance < 0.5 ? { retryAfter: '3' } : {}) });
    case 'unavailable':
      return always(world, {}, { type: 'status', status: 503 });
    case 'expiredHttp':
    case 'expiredLine':
    case 'expiredClose':
      return expire(fault.kind, world);
    case 'expiredToken':
      return expireToken(world);
    case 'restore':
      return restore(fault, world);
    case 'crash':
    case 'stop':
    case 'zombie':
    case 'shardChange':
      return unsettle(fault.kind, fault.chance, world);
    case 'leasesUnavailable':
      return always(world, { stream: 'leases' }, { type: 'status', status: 503 });
    case 'leaseAnswerLost':
      return always(world, { stream: 'leases', on: ['create', 'update'] }, { type: 'lost' });
    default:
      return trouble(fault.kind, sink.troubles);
  }
}

const troubleOf = {
  sinkSlow: 'slow',
  sinkOutage: 'outage',
  sinkLostAnswer: 'lostAnswers',
  sinkPartial: 'partial',
  sinkRefusal: 'refusals',
} as const;

function trouble(kind: keyof typeof troubleOf, troubles: World['sink']['troubles']): Undo {
  troubles[troubleOf[kind]] = true;
  return () => {
    troubles[troubleOf[kind]] = false;
  };
}

function always({ server }: World, target: FaultTarget, fault: Fault): Undo {
  return server.faults.always(target, fault);
}

const formOf = { expiredHttp: 'http', expiredLine: 'line', expiredClose: 'close' } as const;

/** Nobody can watch for a while; then the history is gone, in the form that this server has for it. */
function expire(kind: keyof typeof formOf, world: World): Undo {
  const { server } = world;
  server.expireAs('Event', formOf[kind]);
  server.endStreams('close', 'events');
  const open = server.faults.always({ ...events, on: 'watch' }, { type: 'refuse' });
  return () => {
    server.compact();
    open();
  };
}

/** The continue tokens of the lists that come now expire, while the cluster writes without a pause. */
function expireToken(world: World): Undo {
  const { server, cluster } = world;
  server.compact();
  server.endStreams('close', 'events');
  cluster.step();
  server.compact();
  server.faults.next({ ...events, on: 'page' }, { type: 'expired' }, world.running().length);
  for (let afterMs = 10; afterMs < 4_000; afterMs += 20) world.later(afterMs, () => cluster.step());
  return undefined;
}

function restore({ chance }: PlannedFault, { server, tell }: World): Undo {
  const events = server.writes.filter(({ kind }) => kind === 'Event');
  const back = events[Math.floor(events.length * (0.5 + chance / 2))];
  if (back === undefined || BigInt(back.resourceVersion) < BigInt(server.compactedVersion() || '0')) return undefined;
  tell(`the store goes back from ${server.resourceVersion()} to ${back.resourceVersion}`);
  server.restore(back.resourceVersion, chance < 0.7 ? 'reset' : 'close');
  return undefined;
}
