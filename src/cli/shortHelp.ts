/** For who has just started the program, or its image, without anything. */
export const shortHelp = `It exports the Events of a Kubernetes cluster. Three ways to begin:
  kube-sluice demo                                   show it at work on a simulated cluster
  kube-sluice run --kubeconfig PATH                  export a cluster's Events to standard output
  kubectl apply -k k8s/single                        run it in a cluster, from a checkout
kube-sluice --help lists commands and flags.
`;
