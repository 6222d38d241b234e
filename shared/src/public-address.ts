/** A whole address under the public URL, which may itself have a path. */
export function publicAddress(publicUrl: string, path: `/${string}`): string {
  const { origin, pathname } = new URL(publicUrl);
  return `${origin}${pathname.replace(/\/+$/, '')}${path}`;
}
