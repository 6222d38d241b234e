import { Type } from 'typebox';
import { fewest } from '../../analytics/few.ts';
import { Choice } from '../arguments.ts';

export const RangeArg = Type.String({
  maxLength: 21,
  description: 'Days up to today, such as 28d, or two dates: 2026-03-01/2026-03-31. UTC.',
});
export const Metric = Choice(['views', 'visitors'], 'What to count.');

export const fewNote = `Rows under ${fewest} are left out, so small figures may be missing.`;
