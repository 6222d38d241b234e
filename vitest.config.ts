import { defineConfig } from 'vitest/config';

// Resolves @cloudhal/* to TypeScript sources: tests need no build.
export const conditions = ['cloudhal-source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ['deploy/test/servers/global-setup.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is polled for comes by itself; how soon is for benchmarks, and a second is little on a machine that others use.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['{shared,gateway,gateway/studio,*-service}/src/**/*.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Whole systems of several processes each: one at a time, and after everything else, so that none starves another.
        extends: true,
        test: {
          name: 'house',
          include: ['deploy/*/**/*.test.ts'],
          exclude: ['**/dist/**', '**/node_modules/**', 'deploy/test/compose/**'],
          maxWorkers: 1,
          // Processes are killed and hung here, on machines that others may be using: CI tries a failed one once more, and says so.
          retry: process.env.CI ? 1 : 0,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
