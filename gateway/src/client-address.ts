import { isIPv4, isIPv6 } from 'node:net';

/** What a rate limit counts: an IPv4 address, or the /64 that one IPv6 customer has to itself. */
export function limiterAddress(address: string | undefined): string {
  const plain = withoutMapping(address);
  if (isIPv6(plain)) return `${groups(plain).slice(0, 4).join(':')}::/64`;
  return isIPv4(plain) ? plain : 'unknown';
}

/** What the record keeps: the /24 or /48 that an address is in, since an address is personal data. */
export function network(address: string | undefined): string {
  const plain = withoutMapping(address);
  if (isIPv6(plain)) return `${groups(plain).slice(0, 3).join(':')}::/48`;
  return isIPv4(plain) ? `${plain.split('.').slice(0, 3).join('.')}.0/24` : 'unknown';
}

function withoutMapping(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groups(address: string): string[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = dotted
    ? address.slice(0, dotted.index) +
      [1, 3].map((at) => (Number(dotted[at]) * 256 + Number(dotted[at + 1])).toString(16)).join(':')
    : address;
  const [head = '', tail] = hex.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16));
}
