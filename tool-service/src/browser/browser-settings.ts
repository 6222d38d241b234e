import type { Config } from '@cloudhal/shared/config';
import type { BrowserSettings } from './browsers.ts';

/** The browser that the environment names. */
export function browserSettings(config: Pick<Config, 'renderBrowser' | 'renderSandbox'>): BrowserSettings {
  const { renderBrowser, renderSandbox } = config;
  return { sandbox: renderSandbox, ...(renderBrowser !== undefined && { executable: renderBrowser }) };
}
