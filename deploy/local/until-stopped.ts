/** Resolves at SIGINT, SIGTERM, or when `closed` settles. A second signal ends the process at once, whatever is still being stopped. */
export async function untilStopped(closed?: Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    closed?.then(
      () => resolve(),
      () => resolve(),
    );
  });
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}
