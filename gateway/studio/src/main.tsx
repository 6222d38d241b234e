import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyTheme, storedTheme } from './api/theme.ts';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';

applyTheme(storedTheme());

createRoot(document.getElementById('studio')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
