/** An address as the Go exporter takes it: a URL, or a host with or without a port, which means https. Undefined if it is neither. */
export function endpointUrl(text: string): URL | undefined {
  const withScheme = text.includes('://') ? text : `https://${text}`;
  if (!URL.canParse(withScheme)) return undefined;
  const url = new URL(withScheme);
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

export function endpointFault(text: string): string | undefined {
  return text === '' || endpointUrl(text) !== undefined
    ? undefined
    : 'must be an address such as https://logging.example.com or 127.0.0.1:8443, without a user or a query';
}

export function universeFault(text: string): string | undefined {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text) ? undefined : 'must be a domain such as googleapis.com';
}
