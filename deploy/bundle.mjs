// Bundles our own code for the npm package, and leaves libraries as ordinary dependencies (docs/adr/0020-one-package.md).
import { chmod, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
await rm(`${root}/dist`, { recursive: true, force: true });

// Only describes schemas, in hundreds of small files that every start would read: a fifth of the time until a service is loaded.
const inside = ['typebox'];

const librariesStayOutside = {
  name: 'libraries-stay-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@cloudhal/') || inside.includes(path)
        ? undefined
        : { path, external: true },
    );
  },
};

await build({
  absWorkingDir: root,
  entryPoints: { cloudhal: 'deploy/dist/local/cloudhal.js' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: false,
  plugins: [librariesStayOutside],
});
await chmod(`${root}/dist/cloudhal.js`, 0o755);
