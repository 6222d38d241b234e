import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const root = import.meta.dirname;
const compressors = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** Compresses once, here, what the gateway would otherwise compress for every reader. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async closeBundle() {
      const folder = join(root, 'dist/assets');
      for (const name of await readdir(folder)) {
        if (!/\.(?:js|css|svg)$/.test(name)) continue;
        const bytes = await readFile(join(folder, name));
        for (const [ending, compress] of Object.entries(compressors)) {
          await writeFile(join(folder, `${name}.${ending}`), await compress(bytes));
        }
      }
    },
  };
}

// Relative: the deployment says at run time below which path it is served.
export default defineConfig({
  root,
  base: './',
  build: {
    target: 'es2022',
    // What a browser gets is what the policy allows: nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      onLog(level, log, handle) {
        // Libraries mark what runs in a browser; here everything does.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
  plugins: [compressed()],
});
