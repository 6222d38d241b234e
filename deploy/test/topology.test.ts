import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describeVariables, readConfig } from '@cloudhal/shared/config';
import { houseFile } from '@cloudhal/shared/house-file';
import { loadVerifier } from '@cloudhal/shared/secrets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDeploymentSecrets } from '../local/deployment-secrets.ts';
import {
  compose,
  composeBucket,
  documents,
  filledIn,
  house,
  kubernetes,
  kustomization,
  of,
  overlay,
  programs,
  type Tree,
  workloads,
} from './topology.ts';

const table = new Map(describeVariables().map((entry) => [entry.name, entry]));
const named = workloads.map((workload) => [`${workload.topology}: ${workload.name}`, workload] as const);

describe.each(named)('%s', (_, { service, env, files }) => {
  const ours = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('CLOUDHAL_')));

  test('starts with what it is given', () => {
    expect(() => readConfig(service, ours)).not.toThrow();
  });

  test('is given nothing that is not for it', () => {
    for (const name of Object.keys(ours)) expect(table.get(name)?.services, name).toContain(service);
  });

  test('finds every file that it is told of, and no other', () => {
    const told = Object.entries(ours).flatMap(([name, value]) => (name.endsWith('_FILE') ? [value] : []));
    expect(files.toSorted()).toEqual(told.toSorted());
  });

  test('has no secret in a setting', () => {
    for (const [name, value] of Object.entries(env)) {
      expect(value, name).not.toMatch(/:\/\/[^/@]*:[^/@]+@/);
      if (table.get(name)?.secret) expect(value, name).toMatch(/^[a-z]+:\/\//);
    }
  });

  test('talks to NATS and PostgreSQL as itself', () => {
    if (service === 'migrate') return expect(env.CLOUDHAL_MIGRATION_DATABASE_URL).toMatch(/\/\/cloudhal@/);
    expect(env.CLOUDHAL_NATS_USER).toBe(service);
    if (service === 'skills') return expect(env.CLOUDHAL_DATABASE_URL).toBeUndefined();
    expect(new URL(env.CLOUDHAL_DATABASE_URL!).username).toBe(`cloudhal_${service}`);
    expect(env.CLOUDHAL_DATABASE_PASSWORD_FILE).toMatch(new RegExp(`/database-password-${service}$`));
  });
});

describe.each(['compose', 'Kubernetes'])('%s', (topology) => {
  const there = workloads.filter((workload) => workload.topology === topology);

  test('runs every service of the house, and migrates', () => {
    expect([...new Set(there.map(({ service }) => service))].sort()).toEqual(Object.values(programs).sort());
    for (const program of Object.keys(programs)) expect(statSync(houseFile(program)).isFile(), program).toBe(true);
  });

  test('scales the pools of tools apart, each of them once', () => {
    const served = there.filter(({ service }) => service === 'tools').map(({ env }) => env.CLOUDHAL_POOLS);
    expect(served.sort()).toEqual(['content', 'media', 'render']);
  });

  test('gives private keys to the one service that signs with them', () => {
    const holders = (file: string) =>
      there.filter(({ files }) => files.some((path) => path.endsWith(`/${file}`))).map(({ service }) => service);
    expect(holders('principal-key.json')).toEqual(['gateway']);
    expect(holders('permit-key.json')).toEqual(['policy']);
    expect(holders('checkpoint-key.json')).toEqual(['audit']);
    expect(holders('database-password-owner')).toEqual(['migrate']);
  });
});

describe('files of assets in a bucket', () => {
  const using = (topology: string) =>
    workloads
      .filter((each) => each.topology === `${topology} with a bucket` && each.env.CLOUDHAL_MEDIA_S3_BUCKET)
      .map(({ name }) => name)
      .toSorted();

  test('are for all that read or write them, and for no other', () => {
    const names = ['gateway', 'tools-media', 'tools-render'];
    expect(using('compose')).toEqual(names);
    expect(using('Kubernetes')).toEqual(names);
  });

  test('are reached by them', () => {
    const free = ['gateway', 'tools-media'];
    for (const name of free) expect(composeBucket.services[name].networks).toEqual(['outside']);
    const { podSelector, egress } = documents('components/s3/network-policy.yaml')[0]!.spec;
    expect(podSelector.matchExpressions[0].values).toEqual(free);
    const internet = of('NetworkPolicy').find(({ metadata }) => metadata.name === 'to-the-internet')!;
    expect(egress[0].to).toEqual(internet.spec.egress[0].to);
  });

  test('give the worker that has a browser no way to anything but the bucket', () => {
    const ways = Object.values<Tree>({ ...compose.services, ...composeBucket.services });
    expect(composeBucket.services['tools-render'].networks).toEqual(['bucket']);
    expect(ways.filter(({ networks }) => networks.includes('bucket'))).toHaveLength(1);
    // A bridge whose name the guide gives to the firewall of the host.
    const bridge = composeBucket.networks.bucket.driver_opts['com.docker.network.bridge.name'];
    expect(bridge.length).toBeLessThan(16);
    expect(readFileSync(houseFile('docs/guides/deploy.md'), 'utf8')).toContain(`-i ${bridge} !`);

    const [free, own] = documents('components/s3/network-policy.yaml');
    expect(free!.spec.podSelector.matchExpressions[0].values).not.toContain('tools-render');
    expect(own!.spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'tools-render' } },
      policyTypes: ['Egress'],
      egress: [],
    });
  });

  test('are asked for by names that .env.example tells', () => {
    const example = readFileSync(houseFile('deploy/compose/.env.example'), 'utf8');
    for (const file of ['compose.yaml', 'compose.s3.yaml']) {
      for (const [, name] of readFileSync(houseFile(`deploy/compose/${file}`), 'utf8').matchAll(/\$\{([A-Z0-9_]+):/g))
        expect(example).toMatch(new RegExp(`^#${name}=`, 'm'));
    }
  });
});

describe('the secrets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudhal-secrets-'));
  let made: string[];

  beforeAll(() => {
    makeDeploymentSecrets(folder);
    made = readdirSync(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('that compose and the overlay name are those that "cloudhal secrets init" makes', () => {
    const inOverlay = overlay.secretGenerator.flatMap((each: Tree) => each.files.map((file: string) => basename(file)));
    for (const name of [...Object.keys(compose.secrets), ...inOverlay]) expect(made).toContain(name);
    for (const [name, { file }] of Object.entries<Tree>(compose.secrets)) expect(file).toBe(`./secrets/${name}`);
  });

  test('are used by somebody, each of them, and known to compose', () => {
    const used = Object.values<Tree>(compose.services).flatMap(({ secrets = [] }) =>
      secrets.map((each: string | Tree) => (typeof each === 'string' ? each : each.source)),
    );
    expect([...new Set(used)].sort()).toEqual(Object.keys(compose.secrets).sort());
  });

  test('keep the public half of each key that signed checkpoints when it is exchanged', () => {
    const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const known = () => read('checkpoint-jwks.json').keys.map(({ x }: { x: string }) => x);
    const first = read('checkpoint-key.json').x;
    rmSync(join(folder, 'checkpoint-key.json'));
    makeDeploymentSecrets(folder);
    const second = read('checkpoint-key.json').x;
    expect(second).not.toBe(first);
    expect(known()).toEqual([second, first]);
    makeDeploymentSecrets(folder);
    expect(known()).toEqual([second, first]);
    expect(loadVerifier(join(folder, 'checkpoint-jwks.json')).size).toBe(2);
  });

  test('are kept out of version control', () => {
    for (const ignore of ['deploy/compose/.gitignore', 'deploy/kubernetes/overlays/example/.gitignore']) {
      expect(readFileSync(houseFile(ignore), 'utf8')).toMatch(/^secrets\/$/m);
    }
    expect(readFileSync(houseFile('deploy/compose/Dockerfile.dockerignore'), 'utf8')).toMatch(/^\*\*\/secrets$/m);
  });
});

describe('images', () => {
  const images = [
    ...Object.values<Tree>(compose.services).map(({ image }) => filledIn(image)),
    ...kustomization.images.map(({ name, newTag }: Tree) => `${name}:${newTag}`),
    ...overlay.images.map(({ newName, newTag }: Tree) => `${newName}:${newTag}`),
    ...readFileSync(houseFile('deploy/compose/Dockerfile'), 'utf8').match(/(?<=^FROM )\S+/gm)!,
  ];

  test.each(images)('%s has a version', (image) => {
    expect(image).toMatch(/:[a-z0-9]*\d[\w.-]*$/);
  });

  test('of our own have the version of the house', () => {
    const { version } = house;
    const own = images.filter((image) => /(^|\/)cloudhal(-render)?:/.test(image));
    expect(own.length).toBeGreaterThan(4);
    for (const image of own) expect(image).toMatch(new RegExp(`:${version.replaceAll('.', '\\.')}$`));
  });

  test('with a browser are those of the worker that renders, and of no other', () => {
    expect(readFileSync(houseFile('deploy/compose/Dockerfile'), 'utf8')).toMatch(
      / AS render\nRUN .*chromium-headless-shell/,
    );
    const withBrowser = Object.entries<Tree>(compose.services).filter(([, { image }]) => /render/.test(image));
    expect(withBrowser.map(([name, { build }]) => [name, build.target])).toEqual([['tools-render', 'render']]);
    const [patched] = kustomization.patches.filter(({ target }: Tree) => target.name === 'tools-render');
    expect(patched.patch).toContain('value: cloudhal-render }');
  });

  test('are built once each, whatever the number of services that run them', () => {
    const own = Object.entries<Tree>(compose.services).filter(([, { image }]) => /cloudhal/.test(image));
    const built = own.filter(([, { build }]) => build);
    expect(built.map(([name, { image }]) => [name, filledIn(image).split(':')[0]])).toEqual([
      ['tools-render', 'cloudhal-render'],
      ['migrate', 'cloudhal'],
    ]);
    // No registry has an image that is yet to be built.
    for (const [name, { build, pull_policy: policy }] of own) expect(policy, name).toBe(build ? 'missing' : 'never');
  });

  test('hold what every program needs beside its code', () => {
    const dockerfile = readFileSync(houseFile('deploy/compose/Dockerfile'), 'utf8');
    const manifests = house.workspaces as string[];
    for (const room of manifests) expect(dockerfile).toContain(`COPY ${room}/package.json ${room}/`);
    expect(dockerfile).toMatch(
      /cp -a --parents .*\*\/dist gateway\/studio\/dist \*\/migrations skills-service\/skills docs/,
    );
    expect(dockerfile).toMatch(/^USER [1-9]\d*:\d+$/m);
    expect(dockerfile).toContain('npm ci --ignore-scripts');
    expect(dockerfile.match(/^ENV .*/gm)).toEqual(
      Array(2).fill('ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=4'),
    );
    // Native parts are optional dependencies; this is what shows that they are still there.
    expect(dockerfile).toMatch(/npm prune --omit=dev --ignore-scripts .* node -e "import\('sharp'\)"/);
  });
});

describe('containers of compose', () => {
  test.each(Object.entries<Tree>(compose.services))(
    '%s is contained, limited and on named networks only',
    (_, service) => {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      expect(service.privileged).toBeUndefined();
      expect(Object.keys(service.deploy.resources.limits).sort()).toEqual(['cpus', 'memory']);
      expect(service.networks.length).toBeGreaterThan(0);
      if (programs[service.command?.[1]]) expect(service.user).toContain('1000:1000');
    },
  );

  test('that stay up say whether they are well', () => {
    for (const [name, service] of Object.entries<Tree>(compose.services)) {
      if (service.restart !== 'no') expect(service.healthcheck?.test, name).toBeDefined();
    }
  });

  test('are started and asked with words: what YAML reads as anything else, compose refuses', () => {
    for (const [name, { entrypoint = [], command = [], healthcheck }] of Object.entries<Tree>(compose.services)) {
      for (const word of [...entrypoint, ...command, ...(healthcheck?.test ?? [])])
        expect(word, name).toBeTypeOf('string');
    }
  });

  test('publish one port, of the edge, and only what fetches from elsewhere is outside', () => {
    const all = Object.entries<Tree>(compose.services);
    expect(all.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['edge']);
    expect(all.filter(([, { networks }]) => networks.includes('outside')).map(([name]) => name)).toEqual([
      'edge',
      'tools-media',
    ]);
    for (const name of ['front', 'bus', 'store']) expect(compose.networks[name].internal).toBe(true);
  });
});

describe('the edge of compose', () => {
  test('believes no proxy about who calls, unless one is named', () => {
    const { environment, volumes, tmpfs } = compose.services.edge;
    const [file, template] = volumes[0].split(':');
    expect(template).toBe('/etc/nginx/templates/default.conf.template');
    expect(tmpfs.join()).toContain('/etc/nginx/conf.d:');
    const config = readFileSync(join(houseFile('deploy/compose'), file), 'utf8');
    const filled = config.replace(/\$\{([A-Z_]+)\}/g, (_, name) => filledIn(environment[name]));
    expect(filled.match(/(?<=set_real_ip_from ).*(?=;)/g)).toEqual(['unix:']);
  });
});

describe('Kubernetes', () => {
  const [pods] = documents('base/pods.yaml');
  const [services] = documents('base/services.yaml');

  test('puts every pod under the restricted standard', () => {
    expect(kustomization.patches).toContainEqual({ path: 'pods.yaml', target: { kind: 'Deployment|Job' } });
    const { containers, ...pod } = pods!.spec.template.spec;
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    for (const { spec } of [...of('Deployment'), ...of('Job')]) {
      expect(spec.template.spec.containers.map(({ name }: Tree) => name)).toEqual(['cloudhal']);
      expect(spec.template.spec.securityContext).toBeUndefined();
      expect(spec.template.spec.containers[0].resources.limits).toBeDefined();
    }
  });

  test('asks every service how it is, at its own port', () => {
    expect(kustomization.patches).toContainEqual({ path: 'services.yaml', target: { kind: 'Deployment' } });
    const [probes] = services!.spec.template.spec.containers;
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      expect(probes[probe].httpGet.port).toBe('health');
    for (const { metadata, spec } of of('Deployment')) {
      const [{ ports, env }] = spec.template.spec.containers;
      const own = env.find(({ name }: Tree) => name === 'CLOUDHAL_PORT')?.value ?? '9400';
      expect(ports, metadata.name).toEqual([{ name: 'health', containerPort: Number(own) }]);
    }
  });

  test('leads from the ingress to the port that the gateway listens on', () => {
    const [ingress] = documents('overlays/example/ingress.yaml');
    const { service } = ingress!.spec.rules[0].http.paths[0].backend;
    const target = of('Service').find(({ metadata }) => metadata.name === service.name)!;
    const port = target.spec.ports.find(({ name }: Tree) => name === service.port.name);
    const pods = of('Deployment').find(({ metadata }) => metadata.name === 'gateway')!.spec.template;
    expect(pods.metadata.labels).toMatchObject(target.spec.selector);
    expect(pods.spec.containers[0].ports.map(({ name }: Tree) => name)).toContain(port.targetPort);
  });

  test('has an overlay that sets addresses by the names that the base knows', () => {
    const names = ({ configMapGenerator: [{ literals }] }: Tree) =>
      literals.map((literal: string) => literal.split('=')[0]);
    expect(names(kustomization)).toEqual(expect.arrayContaining(names(overlay)));
  });

  test('gives each workload an account of its own, without a token', () => {
    const accounts = of('ServiceAccount');
    for (const account of accounts) expect(account.automountServiceAccountToken).toBe(false);
    const used = [...of('Deployment'), ...of('Job')].map(({ spec }) => spec.template.spec.serviceAccountName);
    expect(used.sort()).toEqual(accounts.map(({ metadata }) => metadata.name).sort());
  });

  test('scales the pools by load, and lets a node be emptied one pod at a time', () => {
    expect(
      of('HorizontalPodAutoscaler')
        .map(({ spec }) => spec.scaleTargetRef.name)
        .sort(),
    ).toEqual(['tools-content', 'tools-media', 'tools-render']);
    for (const { spec } of of('HorizontalPodAutoscaler')) {
      const target = of('Deployment').find(({ metadata }) => metadata.name === spec.scaleTargetRef.name);
      expect(target?.spec.replicas).toBeUndefined();
    }
    const guarded = of('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels['app.kubernetes.io/name']);
    expect(guarded.sort()).toEqual(['gateway', 'policy', 'skills', 'tools-content', 'tools-media', 'tools-render']);
  });

  test('allows only the arrows that exist', () => {
    const policies = new Map(of('NetworkPolicy').map(({ metadata, spec }) => [metadata.name as string, spec]));
    expect(policies.get('deny-all')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const selects = (name: string) =>
      policies.get(name)!.podSelector.matchExpressions?.[0].values.toSorted() ?? [
        policies.get(name)!.podSelector.matchLabels['app.kubernetes.io/name'],
      ];
    const withVariable = (name: string) =>
      workloads
        .filter(({ topology, env }) => topology === 'Kubernetes' && env[name])
        .map((workload) => workload.name)
        .toSorted();
    expect(selects('to-nats')).toEqual(withVariable('CLOUDHAL_NATS_URL'));
    expect(selects('to-redis')).toEqual(withVariable('CLOUDHAL_REDIS_URL'));
    expect(selects('to-postgres')).toEqual([...withVariable('CLOUDHAL_DATABASE_URL'), 'migrate'].toSorted());
    expect(selects('to-the-internet')).toEqual(['tools-media']);
    expect(selects('people-and-agents')).toEqual(['gateway']);
    const blocked = policies.get('to-the-internet')!.egress[0].to[0].ipBlock.except;
    for (const range of ['10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'])
      expect(blocked).toContain(range);
  });

  test('lists every file of the base', () => {
    const there = readdirSync(join(kubernetes, 'base')).filter((name) => name !== 'kustomization.yaml');
    expect(
      [...kustomization.resources, ...kustomization.patches.flatMap(({ path }: Tree) => path ?? [])].sort(),
    ).toEqual(there.sort());
  });
});
