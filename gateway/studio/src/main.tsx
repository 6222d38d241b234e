import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';

createRoot(document.getElementById('studio')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
