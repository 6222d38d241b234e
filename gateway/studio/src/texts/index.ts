import { common, errors, times } from './common.ts';
import { navigation, roles, shell } from './shell.ts';

/** The words of the frame around all pages. A page's own words are in the file of its name beside this one, and load with it. */
export const texts = { common, errors, times, shell, navigation, roles };
