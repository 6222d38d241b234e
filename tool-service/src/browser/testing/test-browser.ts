import { createLog } from '@cloudhal/shared/log';
import { type BrowserSettings, createBrowsers } from '../browsers.ts';
import { checks } from '../findings.ts';
import { createInspector, type Inspection } from '../inspect.ts';

const log = createLog('tool-service', { level: 'silent' });

/** The Chromium that the tests' set-up found. Where user namespaces are forbidden its sandbox can be turned off. */
export function testBrowserSettings(more: Partial<BrowserSettings> = {}): BrowserSettings {
  const executable = process.env.CLOUDHAL_TEST_CHROMIUM;
  return { executable, sandbox: process.env.CLOUDHAL_TEST_CHROMIUM_SANDBOX !== 'off', ...more };
}

export const openTestBrowsers = (more: Partial<BrowserSettings> = {}) => createBrowsers(testBrowserSettings(more), log);

/** Inspects whole documents, at both widths and with every check. */
export function openTestInspector(more: Partial<BrowserSettings> = {}) {
  const inspector = createInspector(testBrowserSettings(more), log);
  return {
    close: inspector.close,
    inspect: (html: string, asked: Partial<Inspection> = {}) =>
      inspector.inspect({
        html,
        path: '/page',
        resource: async () => undefined,
        viewports: ['mobile', 'desktop'],
        checks,
        screenshot: false,
        ...asked,
      }),
  };
}
