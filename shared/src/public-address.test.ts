import { expect, it } from 'vitest';
import { publicAddress } from './public-address.ts';

it.each([
  ['https://a.example', 'https://a.example/preview/x'],
  ['https://a.example/', 'https://a.example/preview/x'],
  ['https://a.example:8443/cms', 'https://a.example:8443/cms/preview/x'],
  ['https://a.example/cms/two/', 'https://a.example/cms/two/preview/x'],
])('an address under %s keeps its path', (publicUrl, address) => {
  expect(publicAddress(publicUrl, '/preview/x')).toBe(address);
});
