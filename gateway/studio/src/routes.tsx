import { Bot, CircleUser, Globe, History, Inbox, type LucideIcon, Users } from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { useWaitingCount } from './api/waiting.ts';
import { texts } from './texts/index.ts';

export type PageRoute = {
  /** Below `/studio`; ends in `/*` where the page has pages of its own. */
  path: string;
  Page: LazyExoticComponent<ComponentType>;
  /** Absent: reached by links only. */
  nav?: {
    label: string;
    icon: LucideIcon /** A number beside the label, which nobody has to ask for. */;
    useCount?: () => number;
  };
};

/** Every page that a signed-in person can open, in the order of the navigation. Each is loaded when it is first opened. */
export const pages: PageRoute[] = [
  {
    path: 'approvals/*',
    Page: lazy(() => import('./pages/approvals/page.tsx')),
    nav: { label: texts.navigation.approvals, icon: Inbox, useCount: useWaitingCount },
  },
  {
    path: 'agents/*',
    Page: lazy(() => import('./pages/agents/page.tsx')),
    nav: { label: texts.navigation.agents, icon: Bot },
  },
  {
    path: 'activity/*',
    Page: lazy(() => import('./pages/activity/page.tsx')),
    nav: { label: texts.navigation.activity, icon: History },
  },
  {
    path: 'sites/*',
    Page: lazy(() => import('./pages/sites/page.tsx')),
    nav: { label: texts.navigation.sites, icon: Globe },
  },
  {
    path: 'people',
    Page: lazy(() => import('./pages/people/page.tsx')),
    nav: { label: texts.navigation.people, icon: Users },
  },
  {
    path: 'account',
    Page: lazy(() => import('./pages/account/page.tsx')),
    nav: { label: texts.navigation.account, icon: CircleUser },
  },
];

/** For people who are not signed in. */
export const outside = {
  SignIn: lazy(() => import('./pages/sign-in/page.tsx')),
  Join: lazy(() => import('./pages/join/page.tsx')),
  ForgotPassword: lazy(() => import('./pages/forgot-password/page.tsx')),
  ResetPassword: lazy(() => import('./pages/reset-password/page.tsx')),
};
