import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export type FormTokens = {
  /** What a form carries, for one address and for a day. */
  make(address: string): string;
  /** Why a form is not taken: it came back too fast for a person, or too late, or it never was one of ours. */
  check(token: string, address: string): 'quick' | 'expired' | undefined;
};

const shortestMs = 3_000;
const longestMs = 24 * 3_600_000;

/**
 * Says when a form was handed out, and that it was handed out here; every replica reads what another made. Nothing is kept,
 * so it is no proof that a person sent it: it costs a program a request and some seconds for each.
 */
export function createFormTokens(secret: Buffer, now: () => number = Date.now): FormTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'cloudhal comment form', 32));
  const mac = (time: string, address: string) => createHmac('sha256', key).update(`${time}\n${address}`).digest();

  return {
    make(address) {
      const time = now().toString(36);
      return `${time}.${mac(time, address).toString('base64url')}`;
    },
    check(token, address) {
      const [, time = '', signature = ''] = /^([0-9a-z]{1,12})\.([\w-]{43})$/.exec(token) ?? [];
      const said = Buffer.from(signature, 'base64url');
      const due = mac(time, address);
      if (said.length !== due.length || !timingSafeEqual(said, due)) return 'expired';
      const age = now() - Number.parseInt(time, 36);
      if (age > longestMs) return 'expired';
      return age < shortestMs ? 'quick' : undefined;
    },
  };
}
