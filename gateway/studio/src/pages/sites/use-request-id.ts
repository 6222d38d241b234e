import { useState } from 'react';

/** The same id for each try of what a component sends: however often it is sent, it is done once. */
export function useRequestId(): string {
  const [id] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'));
  return id;
}
