/** The page itself: the stores first, so that nothing emitted meanwhile is missed, then what is seen. */
import './mantineStyles.ts';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { App } from './shell/App.tsx';
import { keepHistory, keepPlans } from './shell/keepHistory.ts';
import { loadLaterParts } from './shell/laterParts.ts';
import { takeShortcuts } from './shell/shortcuts.ts';
import { cssVariablesResolver, theme } from './shell/theme.ts';
import { useApp } from './state/appStore.ts';
import { useJobs } from './state/jobsStore.ts';

/** How long nothing is shown while the app says what it runs on. */
const PATIENCE_MS = 200;

void start();

/** Not at the top of the module: the other screens wait until this module has run. */
async function start(): Promise<void> {
  void useJobs.getState().start();
  const started = useApp.getState().start();
  keepPlans();

  // Mostly there before the first frame: then the page is drawn once, and not first with a word that it starts.
  await Promise.race([started, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);

  keepHistory();
  takeShortcuts();
  // A reload may show another screen than the first.
  if (useApp.getState().route.at !== 'home') await loadLaterParts();

  const root = document.getElementById('root');
  if (root) createRoot(root).render(<Themed />);
}

/** The app in the theme that was chosen; in a window, the system's is that one already. */
function Themed() {
  const chosen = useApp(({ settings }) => settings.theme);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      {...(chosen === 'system' ? {} : { forceColorScheme: chosen })}
      getStyleNonce={styleNonce}
    >
      <App />
    </MantineProvider>
  );
}

/** The nonce of this load, which the page's security policy asks of every style element. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
