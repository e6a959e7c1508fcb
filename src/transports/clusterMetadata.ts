/** What the metadata server of Google Cloud knows about the cluster of its node. */
export interface ClusterMetadata {
  /** Empty: the node belongs to no cluster that has one. */
  readonly name: string;
  readonly location: string;
}

/** Asks the metadata server. Undefined: there is none. Rejects if it breaks off. */
export async function clusterMetadata(): Promise<ClusterMetadata | undefined> {
  const { getGCPResidency, instance, isAvailable } = await import('gcp-metadata');
  if (!getGCPResidency() && !(await isAvailable())) return undefined;
  const read = async (path: string): Promise<string> => {
    try {
      return String(await instance(path)).trim();
    } catch (error) {
      if ((error as { readonly response?: { readonly status?: unknown } }).response?.status === 404) return '';
      throw error;
    }
  };
  const [name, location] = await Promise.all([read('attributes/cluster-name'), read('attributes/cluster-location')]);
  // Nodes outside of GKE have no such attribute, only `projects/1234/zones/europe-west4-a`.
  return { name, location: location === '' ? ((await read('zone')).split('/').at(-1) ?? '') : location };
}
