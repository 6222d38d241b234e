/** Who may talk to this edge from a browser, and under which names it is known. Pure. */
export type Edge = {
  /** Exact origins (scheme, host, port) that a browser's `Origin` may have. */
  origins: ReadonlySet<string>;
  /** Exact `Host` values, lower case, without a default port. */
  hosts: ReadonlySet<string>;
};

export type EdgeNames = {
  /** Where people reach the deployment, such as `https://studio.example.com`. */
  publicUrl: string;
  /** More names, such as `gateway.internal:8080`. */
  allowedHosts?: readonly string[];
  /** More origins whose pages may call, such as `https://admin.example.com`. */
  allowedOrigins?: readonly string[];
  /** The port that is listened on; set where the server is reached directly on this machine. */
  loopbackPort?: number;
};

export function edgeOf({ publicUrl, allowedHosts = [], allowedOrigins = [], loopbackPort }: EdgeNames): Edge {
  const origins = [publicUrl, ...allowedOrigins].map((url) => new URL(url).origin);
  const loopback =
    loopbackPort === undefined ? [] : ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${loopbackPort}`);
  origins.push(...loopback.map((host) => new URL(`http://${host}`).origin));
  const hosts = [new URL(publicUrl).host, ...allowedHosts.map(withoutDefaultPort), ...loopback.map(withoutDefaultPort)];
  return { origins: new Set(origins), hosts: new Set(hosts) };
}

/** A request that names another host was sent here by a rebound name. */
export function hostAllowed(edge: Edge, host: string | undefined): boolean {
  return host !== undefined && edge.hosts.has(withoutDefaultPort(host));
}

/** An absent `Origin` is a program, not a page. `null`, and whatever differs in scheme, host or port, is refused. */
export function originAllowed(edge: Edge, origin: string | undefined): boolean {
  return origin === undefined || edge.origins.has(origin);
}

/** Whether a browser says that the request comes from one of our own pages; nothing said is no. */
export function fromOwnPage(edge: Edge, origin: string | undefined, fetchSite: string | undefined): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false;
  return origin === undefined ? fetchSite === 'same-origin' : edge.origins.has(origin);
}

function withoutDefaultPort(host: string): string {
  return host.toLowerCase().replace(/:(?:80|443)$/, '');
}
