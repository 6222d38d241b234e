import { Component, type ReactNode } from 'react';
import { ApiError } from '../api/errors.ts';
import { Button } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import { texts } from '../texts/index.ts';

type Props = { children: ReactNode /** Another value is another try. */; at: string; onRetry: () => void };
type State = { error?: unknown; at: string };

/** Holds a page that failed, so that the rest of Studio stays usable. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { at: this.props.at };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps({ at }: Props, state: State): Partial<State> | null {
    return at === state.at ? null : { at, error: undefined };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const isOldPage = error instanceof TypeError && /import|module|fetch/i.test(error.message);
    const shown = isOldPage ? new ApiError(0, { code: 'new_version', ...texts.errors.newVersion }) : error;
    const again = () => {
      if (!(error instanceof ApiError)) return window.location.reload();
      this.props.onRetry();
      this.setState({ error: undefined });
    };
    return (
      <Page title={texts.errors.title}>
        <Problem
          error={shown}
          action={
            <Button onPress={again}>{error instanceof ApiError ? texts.common.retry : texts.common.reload}</Button>
          }
        />
      </Page>
    );
  }
}
