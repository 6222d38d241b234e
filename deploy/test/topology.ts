import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ServiceName } from '@cloudhal/shared/config';
import { houseFile } from '@cloudhal/shared/house-file';
import { parse, parseAllDocuments } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: what a YAML file holds.
export type Tree = Record<string, any>;

export const compose: Tree = parse(readFileSync(houseFile('deploy/compose/compose.yaml'), 'utf8'), { merge: true });
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
  'gateway/dist/main.js': 'gateway',
  'policy-service/dist/main.js': 'policy',
  'tool-service/dist/main.js': 'tools',
  'audit-service/dist/main.js': 'audit',
  'skills-service/dist/main.js': 'skills',
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

/** `${NAME:-default}`, as compose fills it in where nothing is set. */
export function filledIn(text: string): string {
  return text.replace(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1');
}

function inCompose(): Workload[] {
  return Object.entries<Tree>(compose.services).flatMap(([name, { command, environment = {}, secrets = [] }]) => {
    const service = programs[command?.[1]];
    if (!service) return [];
    const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filledIn(String(value))]));
    return [
      { topology: 'compose', name, service, env, files: secrets.map((secret: string) => `/run/secrets/${secret}`) },
    ];
  });
}

/** As a cluster resolves it: from the ConfigMap and from variables before. */
function inKubernetes(): Workload[] {
  const values = new Map<string, string>(
    kustomization.configMapGenerator[0].literals.map((literal: string) => literal.split(/=(.*)/s).slice(0, 2)),
  );
  return [...of('Deployment'), ...of('Job')].map(({ metadata, spec }) => {
    const [container] = spec.template.spec.containers;
    const env: Record<string, string> = {};
    for (const { name, value, valueFrom } of container.env) {
      const given = value ?? values.get(valueFrom.configMapKeyRef.key);
      if (given === undefined) throw new Error(`${metadata.name}: nothing gives ${name}`);
      env[name] = String(given).replace(/\$\(([A-Z_]+)\)/g, (_, other) => env[other] ?? `$(${other})`);
    }
    const secret = spec.template.spec.volumes.find((volume: Tree) => volume.name === 'secrets').secret.secretName;
    const { files } = overlay.secretGenerator.find((each: Tree) => each.name === secret);
    return {
      topology: 'Kubernetes',
      name: metadata.name,
      service: programs[container.command[1]]!,
      env,
      files: files.map((file: string) => `/run/secrets/cloudhal/${basename(file)}`),
    };
  });
}

export const workloads = [...inCompose(), ...inKubernetes()];
