/**
 * What is used of two large packages. To be loaded when first needed, for together they take most of a second; named
 * here one by one so that a bundle can leave out the rest.
 */
export { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';
export { Agent } from 'undici';
