import { Type } from 'typebox';

/** Lower-case words joined by hyphens, at most 96 characters. */
export const Slug = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,94}[a-z0-9])?$',
  maxLength: 96,
  description: 'Lower-case letters, digits and hyphens.',
});
