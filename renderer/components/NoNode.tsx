/** A place that has nothing to show until there is a node. */
import { Button } from '@mantine/core';
import { useApp } from '../state/appStore.ts';
import { Notice } from './Notice.tsx';
import { PageHeading } from './PageHeading.tsx';
import { WorkOffline } from './WorkOffline.tsx';

export function NoNode({ title }: { title: string }) {
  const go = useApp((state) => state.go);
  return (
    <>
      <PageHeading title={title} />
      <Notice tone="info" title="There is no node yet">
        <p>Connect to a Bitcoin Core node first, or work without one.</p>
        <Button onClick={() => go({ at: 'connect' })}>Connect to a node</Button>
      </Notice>
      <WorkOffline />
    </>
  );
}
