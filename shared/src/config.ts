import type { ServiceName, Variable } from './config/kinds.ts';
import { variables } from './config/variables.ts';

export { type ServiceName, serviceNames } from './config/kinds.ts';
export { variables };

type Variables = typeof variables;
type ValueOf<V, S> =
  V extends Variable<infer T, infer R, infer D>
    ? undefined extends D
      ? S extends R[number]
        ? T
        : T | undefined
      : T
    : never;
/** The settings of a service: what it requires, and what has a default, is there. */
export type Config<S extends ServiceName = ServiceName> = { [K in keyof Variables]: ValueOf<Variables[K], S> };

/** Reads and checks the environment of a service. Every problem is named in one error. */
export function readConfig<S extends ServiceName>(
  service: S,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Config<S> {
  const problems = unknownNames(env);
  const config: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(variables) as [string, Variable<unknown>][]) {
    const value = env[entry.name];
    // An empty value is what a template leaves where nothing was filled in.
    if (value === undefined || value === '') {
      config[key] = entry.default;
      if (entry.required.includes(service))
        problems.push(`${entry.name} is missing: ${entry.help} It takes ${entry.takes}.`);
      continue;
    }
    config[key] = entry.parse(value);
    if (config[key] === undefined) {
      const shown = entry.secret ? '' : ` "${value.slice(0, 100)}"`;
      problems.push(`${entry.name}${shown} is not valid: it takes ${entry.takes}.`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return config as Config<S>;
}

/** Looks into the files that a service was told of, before it connects anywhere. Every problem is named in one error. */
export function checkFiles<S extends ServiceName>(service: S, config: Config<S>): void {
  const problems: string[] = [];
  for (const [key, entry] of Object.entries(variables) as [keyof Variables, Variable<unknown>][]) {
    try {
      if (entry.services.includes(service) && config[key] !== undefined) entry.check?.(config[key]);
    } catch (error) {
      problems.push(`${entry.name}: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** What tests, other programs and Kubernetes' service links put there is not ours. */
const notOurs =
  /^CLOUDHAL_(?:TEST_.*|CONFORMANCE_.*|BENCH_.*|API_KEY|.+_SERVICE_HOST|.+_SERVICE_PORT(?:_.+)?|.+_PORT(?:_\d+_(?:TCP|UDP).*)?)$/;

function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.values(variables).map(({ name }) => name);
  return Object.keys(env)
    .filter((name) => name.startsWith('CLOUDHAL_') && !names.includes(name) && !notOurs.test(name))
    .map((name) => `There is no variable ${name}; did you mean ${nearest(name, names)}?`);
}

function nearest(name: string, names: string[]): string {
  return names.reduce((best, next) => (distance(name, next) < distance(name, best) ? next : best));
}

/** How many letters must be added, left out or changed to come from one to the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

export type VariableDescription = {
  name: string;
  takes: string;
  help: string;
  services: readonly ServiceName[];
  required: readonly ServiceName[];
  secret: boolean;
  default?: string;
};

/** The table in words, for the reference. */
export function describeVariables(): VariableDescription[] {
  return (Object.values(variables) as Variable<unknown>[]).map((entry) => ({
    name: entry.name,
    takes: entry.takes,
    help: entry.help,
    services: entry.services,
    required: entry.required,
    secret: entry.secret,
    ...(entry.default !== undefined && { default: String(entry.default) }),
  }));
}
