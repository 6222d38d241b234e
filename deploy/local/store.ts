import { openEmbeddedPostgres } from './postgres/embedded-postgres.ts';

/** The PostgreSQL that a data folder works on. */
export type Store = {
  /** As the role that owns everything. */
  url: string;
  urlFor(role: string): string;
  allowLogin(...roles: string[]): Promise<void>;
  stop(): Promise<void>;
};

/** The folder's own PostgreSQL, or the one that `url` names, with one role for all services. */
export async function openStore(
  folder: string,
  url: string | undefined,
  onProgress?: (line: string) => void,
): Promise<Store> {
  if (url === undefined) return openEmbeddedPostgres(folder, { ...(onProgress && { onProgress }) });
  return { url, urlFor: () => url, allowLogin: async () => undefined, stop: async () => undefined };
}
