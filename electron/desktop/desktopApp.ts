/// <reference types="electron-vite/node" />
/**
 * The window of the desktop entry and its page. The window opens first. The services load once the page has its document.
 * Import little here, because all of it loads before the window opens.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  app,
  BrowserWindow,
  dialog,
  type ProtocolRequest,
  type ProtocolResponse,
  protocol,
  session,
} from 'electron';
import windowIcon from '../../build/icons/256x256.png?asset';
import { FIRST_WINDOW, SMALLEST_WINDOW } from './constants.ts';
import type { Programs } from './desktopServices.ts';
import type { OpenRequest } from './fileArgument.ts';
import { originOf } from './ipc.ts';
import { refusePermissions } from './restrainChromium.ts';
import type { ShowRequested } from './startDesktop.ts';

const SCHEME = 'ferry';
const PAGE = `${SCHEME}://app/`;
const ORIGIN = originOf(PAGE);

const NOT_FOUND: ProtocolResponse = {
  data: Buffer.from('Not found'),
  statusCode: 404,
  mimeType: 'text/plain',
};

interface DesktopAppOptions {
  /** The bundled preload script. */
  readonly preload: string;
  /** Reads a file of the built page at a URL path. */
  readPageFile(path: string): Promise<{ body: Buffer; status: number; headers: Record<string, string> }>;
  readonly programs: Programs;
  /** The address of electron-vite's server, which serves the page during development. */
  readonly devServer: string | undefined;
  readonly noSandbox: boolean;
}

/** Lets the page use its scheme like https. Call it before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

export function createDesktopApp({
  preload,
  readPageFile,
  programs,
  devServer,
  noSandbox,
}: DesktopAppOptions) {
  let window: BrowserWindow | null = null;
  /** Resolves with null if this process may not use the data folder. */
  let desktop: Promise<ShowRequested | null> | null = null;
  /** The request from before the window exists: macOS passes a file on before the app is ready. */
  let firstRequest: OpenRequest | null = null;

  function ask(request: OpenRequest | null): void {
    if (request === null) return;
    if (desktop) void desktop.then((show) => show?.(request));
    else firstRequest = request;
  }

  /** Serves only the document until this process has the data folder. */
  async function servePage({ method, url }: ProtocolRequest): Promise<ProtocolResponse> {
    if (originOf(url) !== ORIGIN || method !== 'GET') return NOT_FOUND;
    const path = new URL(url).pathname;
    if (path !== '/' && !(await desktop)) return NOT_FOUND;
    const { body, status, headers } = await readPageFile(path);
    const [mimeType = '', charset = ''] = headers['content-type']?.split('; charset=') ?? [];
    return { data: body, statusCode: status, headers, mimeType, charset };
  }

  return {
    ask,
    focus(): void {
      if (window?.isMinimized()) window.restore();
      window?.focus();
    },
    /** Opens the window once the app is ready. `request`: what the command line asks for. */
    async open(request: OpenRequest | null): Promise<void> {
      if (noSandbox && !(await agreesToNoSandbox())) {
        app.exit();
        return;
      }
      refusePermissions(session.defaultSession);
      const page = devServer ?? PAGE;
      const opened = openWindow(preload);
      window = opened;
      opened.on('closed', () => {
        window = null;
      });
      const documentServed = new Promise<void>((served) => {
        // Electron's newer `handle` loads Node's fetch first, which delays a usable window by a tenth.
        protocol.registerBufferProtocol(SCHEME, (request, answer) => {
          void servePage(request).then(answer).finally(served);
        });
        if (devServer !== undefined) served();
      });
      desktop = documentServed
        .then(() => nextTurn())
        .then(() => import('./startDesktop.ts'))
        .then(({ openDesktop }) => openDesktop(opened, originOf(page), programs));
      ask(firstRequest ?? request);
      void opened.loadURL(page);
    },
  };
}

/** Opens a hidden window, which appears when its first frame is ready. */
function openWindow(preload: string): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Wallet Ferry',
    ...FIRST_WINDOW,
    minWidth: SMALLEST_WINDOW.width,
    minHeight: SMALLEST_WINDOW.height,
    icon: windowIcon,
    show: false,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  });
  window.once('ready-to-show', () => window.show());
  return window;
}

async function agreesToNoSandbox(): Promise<boolean> {
  const { asksAboutSandbox, OPEN_WITHOUT_SANDBOX, withoutSandboxQuestion } = await import(
    './startDialogs.ts'
  );
  if (!asksAboutSandbox({ packaged: app.isPackaged, user: process.getuid?.() })) return true;
  await import('../backend/setLanguage.ts');
  const question = withoutSandboxQuestion();
  process.stderr.write(`${question.message}.\n${question.detail}\n`);
  const { response } = await dialog.showMessageBox(question);
  return response === OPEN_WITHOUT_SANDBOX;
}
