import type { Example } from './example.ts';

/** Text in another language. */
export const translations: Example[] = [
  { tool: 'list_locales' },
  { tool: 'translation_status', arguments: () => ({ locale: 'de' }) },
  {
    tool: 'get_translation',
    arguments: ({ ferry }) => ({ node: ferry!.id, locale: 'de' }),
    as: 'german',
  },
  {
    tool: 'save_translation',
    arguments: ({ ferry }) => ({
      node: ferry!.id,
      locale: 'de',
      rev: 0,
      sourceRev: ferry!.rev,
      fields: { title: 'Die Fähre ist wieder da' },
      body: 'Nach sechs Wochen fährt die Fähre wieder.\n',
    }),
    as: 'german',
  },
  {
    tool: 'delete_translation',
    arguments: ({ ferry, german }) => ({ node: ferry!.id, locale: 'de', rev: german!.rev }),
  },
];
