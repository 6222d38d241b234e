import { useEffect, useState } from 'react';

const pauseMs = 300;

/** What a person wrote, once they stop writing. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
