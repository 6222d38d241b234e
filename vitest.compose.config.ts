import { defineConfig } from 'vitest/config';
import { conditions } from './vitest.config.ts';

/** `npm run test:compose`: what deploy/compose says, on a Docker engine. Slow, and no part of `npm test`. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['deploy/test/compose/*.test.ts'],
    // Each test goes on where the one before it ended.
    bail: 1,
    testTimeout: 180_000,
    hookTimeout: 1_800_000,
  },
});
