import { defineConfig } from 'vitest/config';

// `source` resolves @cloudhal/* to TypeScript sources: tests need no build.
const conditions = ['source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['*/src/**/*.test.ts', 'deploy/{local,test,bench,reference,conformance}/**/*.test.ts'],
    exclude: ['**/dist/**', '**/node_modules/**'],
    globalSetup: ['deploy/test/servers/global-setup.ts'],
    // eventsource has sources under the same condition, which Node cannot run.
    server: { deps: { inline: [/eventsource/, /@modelcontextprotocol\/(client|sdk)/] } },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
