import { defineConfig } from 'vitest/config';

// Resolves @cloudhal/* to TypeScript sources: tests need no build.
const conditions = ['cloudhal-source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['*/src/**/*.test.ts', 'deploy/*/**/*.test.ts'],
    exclude: ['**/dist/**', '**/node_modules/**'],
    globalSetup: ['deploy/test/servers/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
