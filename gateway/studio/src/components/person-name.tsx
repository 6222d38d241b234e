import { ShownParts } from './shown-parts.tsx';

/** The name that a person gave themselves. */
export function PersonName({ name }: { name: string }) {
  return <ShownParts text={name.length > 60 ? `${name.slice(0, 60)}…` : name} />;
}
