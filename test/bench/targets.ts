/**
 * What the rows should be on two cores, in their units, by name. Told beside the figures and judged by nobody: times and
 * resident memory are the machine's. What a change can be judged by is in budgets.json.
 */
export const targets: Readonly<Record<string, number>> = {
  'exported, local sink': 25,
  filtered: 3,
  DELETED: 3,
  'exported, Cloud Logging sink': 45,
  'live, 1 shard, local sink': 85,
  'live, shard 0 of 3, local sink': 60,
  'live, 1 shard, Cloud Logging sink': 110,
  'a cached pod, of 200,000': 200,
  'RSS with 30,000 pods': 110,
  'RSS with 30,000 pods, peak': 125,
  'RSS after a start with 120,000 events': 150,
  'start to first live event, 120,000 events': 25,
  'RSS idle, local sink': 80,
  'RSS idle, Cloud Logging sink': 120,
  'live page, one viewer: more': 1,
  'write to line, p99': 50,
};
