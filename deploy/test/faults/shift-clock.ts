/** Settings under which a process has a clock that is off by this much, as everything in it but its timers sees it. */
export function clockOff(hours: number): Record<string, string> {
  const program = `
    const shift = ${hours * 3_600_000};
    const { now } = Date;
    globalThis.Date = class Date extends globalThis.Date {
      constructor(...parts) { parts.length === 0 ? super(now() + shift) : super(...parts); }
      static now() { return now() + shift; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}
