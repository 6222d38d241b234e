import { describe, expect, it } from 'vitest';
import { limiterAddress, network } from './client-address.ts';

describe('the address of a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:0DB8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64', '64:ff9b:0::/48'],
    [undefined, 'unknown', 'unknown'],
    ['nonsense', 'unknown', 'unknown'],
  ])('%s counts as %s and is recorded as %s', (address, counted, recorded) => {
    expect(limiterAddress(address)).toBe(counted);
    expect(network(address)).toBe(recorded);
  });
});
