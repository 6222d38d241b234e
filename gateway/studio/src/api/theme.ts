export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'cloudhal-theme';

/** What this browser was told; by default what its system says. */
export function storedTheme(): Theme {
  const stored = window.localStorage.getItem(key);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function storeTheme(theme: Theme): void {
  window.localStorage.setItem(key, theme);
  applyTheme(theme);
}
