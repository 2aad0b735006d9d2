/** The page itself: the stores first, so that nothing emitted meanwhile is missed, then what is seen. */
import './mantineStyles.ts';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { useApp } from './state/appStore.ts';
import { useOperations } from './state/operationsStore.ts';
import { useWallets } from './state/walletsStore.ts';
import { cssVariablesResolver, theme } from './theme.ts';

useWallets.getState().start();
void useOperations.getState().start();
void useApp.getState().start();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <App />
    </MantineProvider>,
  );
}

/** The nonce of this load, which the page's security policy asks of every style element. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
