import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyTheme, storedTheme } from './api/theme.ts';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';

applyTheme(storedTheme());

// A file that is dropped beside its place would be opened instead of Studio, and what was written would be gone.
for (const type of ['dragover', 'drop'] as const) {
  window.addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  });
}

createRoot(document.getElementById('studio')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
