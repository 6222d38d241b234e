import { scopes as allScopes, type Scope } from '@cloudhal/shared/policy';
import { compile } from '@cloudhal/shared/schema';
import { type Static, Type } from 'typebox';
import { type Document, parseDocument } from 'yaml';
import { Problem } from './problem.ts';

/** What the head of a `SKILL.md` says. */
export type FrontMatter = { name: string; title: string; description: string; scopes: Scope[] };

/** Shown to people and models: no control, bidi or zero-width characters. */
const shown = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]*$';

/** The fields of https://agentskills.io that matter here; the others are not looked at. */
const Head = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 64 }),
  description: Type.String({ pattern: shown, minLength: 1, maxLength: 1024 }),
  metadata: Type.Optional(
    Type.Object({
      'cloudhal.title': Type.Optional(Type.String({ pattern: shown, minLength: 1, maxLength: 80 })),
      'cloudhal.scopes': Type.Optional(Type.Union([Type.String({ maxLength: 2048 }), Type.Array(Type.String())])),
    }),
  ),
});
type Head = Static<typeof Head>;

const checkHead: (value: unknown) => asserts value is Head = compile<Head>(Head);
const ourKeys = Object.keys(Head.properties.metadata.properties);

/** Reads the head of a `SKILL.md`; throws a `Problem` or the error of the broken field. */
export function parseFrontMatter(markdown: string): FrontMatter {
  const head = parseYaml(split(markdown));
  checkHead(head);
  const metadata = head.metadata ?? {};
  // A misspelt key of ours would silently change what the skill may do.
  const strange = Object.keys(metadata).find((key) => key.startsWith('cloudhal.') && !ourKeys.includes(key));
  if (strange !== undefined) throw new Problem(`unknown metadata key "${strange}"`);
  return {
    name: head.name,
    title: metadata['cloudhal.title'] ?? titleOf(head.name),
    description: head.description,
    scopes: parseScopes(metadata['cloudhal.scopes'] ?? []),
  };
}

function split(markdown: string): string {
  const text = markdown.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const head = /^---[ \t]*\n([\s\S]*?)^---[ \t]*$/m.exec(text);
  if (head?.index !== 0) throw new Problem('it has to begin with front matter between two "---" lines');
  return head[1] as string;
}

function parseYaml(text: string): unknown {
  const document = parseDocument(text, { stringKeys: true, prettyErrors: false, logLevel: 'silent' });
  const error = document.errors[0];
  if (error !== undefined) throw new Problem(`its front matter is not valid YAML: ${error.message}`);
  const head = withoutAliases(document);
  if (typeof head !== 'object' || head === null || Array.isArray(head)) {
    throw new Problem('its front matter has to be a mapping');
  }
  const description = (head as { description?: unknown }).description;
  return typeof description === 'string' ? { ...head, description: description.replace(/\s+/g, ' ').trim() } : head;
}

/** A few lines of aliases can grow to gigabytes. */
function withoutAliases(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw new Problem('its front matter uses aliases');
  }
}

/** No scopes at all is a narrow skill, not a wide one: declared, it leaves only the tools that need none. */
function parseScopes(declared: string | string[]): Scope[] {
  const words = typeof declared === 'string' ? declared.split(/[\s,]+/).filter((word) => word !== '') : declared;
  const unknown = words.find((word) => !(allScopes as readonly string[]).includes(word));
  if (unknown !== undefined) throw new Problem(`unknown scope "${unknown.slice(0, 64)}"`);
  return allScopes.filter((scope) => words.includes(scope));
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
