import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ServiceName } from '@cloudhal/shared/config';
import { houseFile } from '@cloudhal/shared/house-file';
import { parse, parseAllDocuments } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: what a YAML file holds.
export type Tree = Record<string, any>;

export const compose: Tree = parse(readFileSync(houseFile('deploy/compose/compose.yaml'), 'utf8'), { merge: true });
/** What is added where the files of assets are in a bucket. */
export const composeBucket: Tree = parse(readFileSync(houseFile('deploy/compose/compose.s3.yaml'), 'utf8'), {
  merge: true,
});
export const house: Tree = JSON.parse(
  readFileSync(join(dirname(houseFile('package-lock.json')), 'package.json'), 'utf8'),
);
export const kubernetes = houseFile('deploy/kubernetes');
const base = readdirSync(join(kubernetes, 'base'))
  .filter((name) => !['kustomization.yaml', 'pods.yaml', 'services.yaml'].includes(name))
  .flatMap((name) => documents(join('base', name)));
export const overlay = documents('overlays/example/kustomization.yaml')[0]!;
export const kustomization = documents('base/kustomization.yaml')[0]!;

/** What each program is started with, in both topologies. */
export const programs: Record<string, ServiceName> = {
  'deploy/dist/services/gateway.js': 'gateway',
  'deploy/dist/services/policy.js': 'policy',
  'deploy/dist/services/tools.js': 'tools',
  'deploy/dist/services/audit.js': 'audit',
  'deploy/dist/services/skills.js': 'skills',
  'deploy/dist/local/cloudhal.js': 'migrate',
};

export type Workload = {
  topology: string;
  name: string;
  service: ServiceName;
  env: Record<string, string>;
  files: string[];
};

export function documents(path: string): Tree[] {
  return parseAllDocuments(readFileSync(join(kubernetes, path), 'utf8'), { version: '1.1' }).map((each) => each.toJS());
}

export function of(kind: string): Tree[] {
  return base.filter((each) => each.kind === kind);
}

/** `${NAME:-default}`, as compose fills it in where nothing is set; `given` for what has to be. */
export function filledIn(text: string): string {
  return text.replace(/\$\{[A-Z0-9_]+:-([^}]*)\}/g, '$1').replace(/\$\{[A-Z0-9_]+:\?[^}]*\}/g, 'given');
}

function inCompose(topology: string, added: Tree = {}): Workload[] {
  return Object.entries<Tree>(compose.services).flatMap(([name, { command, ...given }]) => {
    const service = programs[command?.[1]];
    if (!service) return [];
    const environment = { ...given.environment, ...added[name]?.environment };
    const secrets = [...(given.secrets ?? []), ...(added[name]?.secrets ?? [])];
    const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filledIn(String(value))]));
    return [{ topology, name, service, env, files: secrets.map((secret: string) => `/run/secrets/${secret}`) }];
  });
}

/** The patches of the component that keeps files in a bucket: what they add to a pod. */
const bucketPatches = documents('components/s3/bucket.yaml')[0] as Tree[];
const addedBy = (patches: Tree[], path: string): Tree[] =>
  patches.filter((each) => each.path === `/spec/template/spec/${path}/-`).map(({ value }) => value);
const bucketPods = new RegExp(`^(?:${documents('components/s3/kustomization.yaml')[0]!.patches[0].target.name})$`);

/** As a cluster resolves it: from the ConfigMap and from variables before. */
function inKubernetes(topology: string, component: Tree[] = []): Workload[] {
  const values = new Map<string, string>(
    kustomization.configMapGenerator[0].literals.map((literal: string) => literal.split(/=(.*)/s).slice(0, 2)),
  );
  // The component's comment asks an overlay for these.
  if (component.length > 0) values.set('media-s3-bucket', 'given').set('media-s3-access-key-id', 'given');
  return [...of('Deployment'), ...of('Job')].map(({ metadata, spec }) => {
    const [container] = spec.template.spec.containers;
    const patches = bucketPods.test(metadata.name) ? component : [];
    const env: Record<string, string> = {};
    for (const { name, value, valueFrom } of [...container.env, ...addedBy(patches, 'containers/0/env')]) {
      const given = value ?? values.get(valueFrom.configMapKeyRef.key);
      if (given === undefined && valueFrom.configMapKeyRef.optional) continue;
      if (given === undefined) throw new Error(`${metadata.name}: nothing gives ${name}`);
      env[name] = String(given).replace(/\$\(([A-Z_]+)\)/g, (_, other) => env[other] ?? `$(${other})`);
    }
    const secret = spec.template.spec.volumes.find((volume: Tree) => volume.name === 'secrets').secret.secretName;
    const { files } = overlay.secretGenerator.find((each: Tree) => each.name === secret);
    return {
      topology,
      name: metadata.name,
      service: programs[container.command[1]]!,
      env,
      files: [
        ...files.map((file: string) => `/run/secrets/cloudhal/${basename(file)}`),
        ...addedBy(patches, 'containers/0/volumeMounts').map(({ mountPath }) => `${mountPath}/media-s3-secret-key`),
      ],
    };
  });
}

export const workloads = [
  ...inCompose('compose'),
  ...inCompose('compose with a bucket', composeBucket.services),
  ...inKubernetes('Kubernetes'),
  ...inKubernetes('Kubernetes with a bucket', bucketPatches),
];
