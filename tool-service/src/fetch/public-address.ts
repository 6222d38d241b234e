import ipaddr from 'ipaddr.js';

/** Global unicast; all else of IPv6 (mapped and translated IPv4, unique local, link-local …) leads into somebody's own network. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** Within it: special registries (Teredo, ORCHID …), documentation, 6to4. */
const special = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.parseCIDR(range));
/** Azure answers every virtual machine there, with its secrets, although the address is a public one. */
const wireServer = '168.63.129.16';

/** Whether an IP address, as a resolver or a socket gives it, belongs to the public internet. Whatever is in doubt does not. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast' && parsed.toString() !== wireServer;
  return parsed.match(globalUnicast) && !special.some((range) => parsed.match(range));
}
