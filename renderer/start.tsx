/** The page itself: the stores first, so that nothing emitted meanwhile is missed, then what is seen, and the keyboard shortcuts. */
// Only the Mantine components that the page uses, and those that they are made of: the whole sheet is ten times as large. A cascade
// layer holds them, so that the app's own styles always win. A test keeps the list complete.
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Group.layer.css';
import '@mantine/core/styles/Stack.layer.css';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Button.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import '@mantine/core/styles/Title.layer.css';
import '@mantine/core/styles/Tabs.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import '@mantine/core/styles/NavLink.layer.css';
import '@mantine/core/styles/Progress.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './components.css';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { App, loadLaterParts } from './shell/App.tsx';
import { keepHistory, keepPlans } from './shell/keepHistory.ts';
import { cssVariablesResolver, theme } from './shell/theme.ts';
import { go, showHelp, startApp, useApp } from './state/appStore.ts';
import { keepBackups } from './state/backupsStore.ts';
import { bridge } from './state/bridge.ts';
import { chooseFile } from './state/filePicker.ts';
import { startJobs } from './state/jobsStore.ts';

/** How long nothing is shown while the app says what it runs on. */
const PATIENCE_MS = 200;

void start();

/** Not at the top of the module: the other screens wait until this module has run. */
async function start(): Promise<void> {
  void startJobs();
  const started = startApp();
  keepPlans();
  keepBackups();

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
      // It makes all of them, so that the page needs no sheet of the usual ones.
      deduplicateCssVariables={false}
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

/** The keyboard shortcuts of every page, which the help lists. The desktop app's menu handles some of these keys first. */
function takeShortcuts(): void {
  window.addEventListener('keydown', (event) => {
    if (!event.defaultPrevented && !event.isComposing && act(event)) event.preventDefault();
  });
  bridge.on('showRoute', ({ route }) => route === 'open' && void chooseFile());
}

function act(event: KeyboardEvent): boolean {
  const { help, info } = useApp.getState();
  const mac = info?.platform === 'darwin';
  const command = (mac ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey;
  const asksForHelp = event.key === 'F1' || (event.key === '?' && !isTyped(event.target));
  if (asksForHelp) showHelp(!help);
  else if (command && event.key === 'o') void chooseFile();
  else if (command && event.key === ',') go({ at: 'settings' });
  else if (command && event.key === 'f') return find();
  else return false;
  return true;
}

function isTyped(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

/** Focuses the search field of the page. Without one, the browser searches the page. */
function find(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
