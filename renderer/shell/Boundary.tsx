/** Keeps an error of one place from blanking the window. */
import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { errorShapeOf } from '../../shared/wording/errorWords.ts';
import { say } from '../../shared/wording/say.ts';
import { ErrorNotice } from '../components/ErrorNotice.tsx';
import { PageHeading } from '../components/PageHeading.tsx';

/** Another place is another boundary, by its `key`. */
export class Boundary extends Component<{ children: ReactNode }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <>
        <PageHeading title={say('Page failed')} />
        <ErrorNotice error={errorShapeOf(null)}>
          <p>{say('The node continues.')}</p>
          <Button variant="default" onClick={() => window.location.reload()}>
            {say('Reload')}
          </Button>
        </ErrorNotice>
      </>
    );
  }
}
