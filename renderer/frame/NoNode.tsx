/** A place that has nothing to show until there is a node. */
import { Button } from '@mantine/core';
import { say } from '../../shared/text/say.ts';
import { Notice } from '../elements/Notice.tsx';
import { PageHeading } from '../elements/PageHeading.tsx';
import { WorkOffline } from '../places/connect/WorkOffline.tsx';
import { useApp } from '../state/appStore.ts';
import styles from './NoNode.module.css';

export function NoNode({ title }: { title: string }) {
  const go = useApp((state) => state.go);
  return (
    <>
      <PageHeading title={title} />
      <Notice tone="info" title={say('No node yet')}>
        <p>{say('Connect to a Bitcoin Core node, or work without one.')}</p>
        <div className={styles.ways}>
          <Button onClick={() => go({ at: 'connect' })}>{say('Connect to a node')}</Button>
          <Button variant="default" onClick={() => go({ at: 'guide' })}>
            {say('I found an old wallet.dat')}
          </Button>
        </div>
      </Notice>
      <WorkOffline />
    </>
  );
}
