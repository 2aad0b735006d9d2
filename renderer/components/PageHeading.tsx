/** The heading of a place. It takes the focus when the place is entered, so that it is read from its top. */
import { Box, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import layout from './layout.module.css';

interface PageHeadingProps {
  title: string;
  /** One or two sentences under it. */
  children?: ReactNode;
  /** Buttons beside it. */
  actions?: ReactNode;
}

/** The first place shown leaves the focus where the system put it. */
let entered = false;

export function PageHeading({ title, children, actions }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (entered) heading.current?.focus({ preventScroll: true });
    entered = true;
  }, []);
  return (
    <Group justify="space-between" align="flex-start" gap="12px 24px" mb={24}>
      <div className={layout.grows}>
        <Title order={1} ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {children && (
          <Box maw="62ch" mt={6} className={layout.dim}>
            {children}
          </Box>
        )}
      </div>
      {actions && <div className={layout.row}>{actions}</div>}
    </Group>
  );
}
