import { cut } from '@cloudhal/shared/cut';
import type { ClientCapabilities } from '@modelcontextprotocol/server';

export type ClientFacts = { name?: string; version?: string };

/** The name and version that a client gives itself: for the record and for people to read, and never to be believed. */
export function clientFacts(info: unknown): ClientFacts | undefined {
  const { name, version } = (info ?? {}) as { name?: unknown; version?: unknown };
  const facts = { ...text('name', name), ...text('version', version) };
  return Object.keys(facts).length > 0 ? facts : undefined;
}

/** How a client can be asked: with a form, by sending its person to a page. */
export type AskModes = { form: boolean; url: boolean };

/** An empty `elicitation` means a form, as it did before there were modes. */
export function askModes(capabilities: ClientCapabilities | undefined): AskModes {
  const elicitation = capabilities?.elicitation;
  if (typeof elicitation !== 'object' || elicitation === null) return { form: false, url: false };
  const url = Boolean(elicitation.url);
  return { form: Boolean(elicitation.form) || !url, url };
}

function text(key: string, value: unknown): Record<string, string> {
  if (typeof value !== 'string') return {};
  const plain = cut(value.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ''), 80);
  return plain === '' ? {} : { [key]: plain };
}
