import { fakeCloudLogging } from '../../../src/simulator/fakeCloudLogging.ts';

/** Cloud Logging in a process of its own; it tells where it listens and goes when its parent does. */
const service = await fakeCloudLogging();
process.on('disconnect', () => process.exit());
process.send?.({ url: service.url });
