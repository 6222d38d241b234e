/** Where Studio is served, such as `/studio/` or `/cloudhal/studio/`: the page says it, and everything else follows. */
export const studioPath = new URL(document.baseURI).pathname;

/** The address of something that the gateway serves beside Studio, such as `api/session` or `mcp`. */
export function gatewayUrl(path: string): string {
  return new URL(`../${path}`, document.baseURI).href;
}
