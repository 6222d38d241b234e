// What ships, written with esbuild. `npm run build` makes the services of a deployment, each whole: they load in half the time.
// `npm pack` makes the npm package, with libraries as ordinary dependencies (docs/adr/0020-one-package.md).
import { chmod, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

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

// Native, read as files, loaded only where a setting asks for them, or shared with what `--import` brings along.
const outsideOfServices = [
  'sharp',
  'playwright-core',
  'axe-core',
  'pg-native',
  'better-auth',
  '@aws-sdk/*',
  '@opentelemetry/*',
];

async function bundle(outdir, entryPoints, options) {
  await rm(`${root}/${outdir}`, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    ...options,
  });
}

if (process.argv[2] === 'services') {
  await bundle(
    'deploy/dist/services',
    {
      gateway: 'gateway/dist/main.js',
      policy: 'policy-service/dist/main.js',
      tools: 'tool-service/dist/main.js',
      audit: 'audit-service/dist/main.js',
      skills: 'skills-service/dist/main.js',
    },
    {
      external: outsideOfServices,
      // For libraries that are CommonJS.
      banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    },
  );
} else {
  await bundle('dist', { cloudhal: 'deploy/dist/local/cloudhal.js' }, { plugins: [librariesStayOutside] });
  await chmod(`${root}/dist/cloudhal.js`, 0o755);
}
