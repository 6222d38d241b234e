import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { agents as texts } from '../../texts/agents.ts';
import styles from './back.module.css';

export function BackToAgents() {
  return (
    <Link to="/agents" className={styles.back!}>
      <ArrowLeft aria-hidden="true" /> {texts.back}
    </Link>
  );
}
