/** Keeps an error of one place from blanking the window. */
import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { say } from '../../shared/text/say.ts';
import { errorShapeOf } from '../../shared/words/errorWords.ts';
import { ErrorNotice } from '../elements/ErrorNotice.tsx';
import { PageHeading } from '../elements/PageHeading.tsx';

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
