/** Plain text as a PDF, by Chromium: in a hidden window of its own, without scripts, that can fetch nothing. */
import { BrowserWindow } from 'electron';

/** Throws what Chromium says where it cannot. */
export async function printPdf(text: string): Promise<Uint8Array> {
  const window = new BrowserWindow({
    show: false,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      javascript: false,
      // Kept in memory only, and apart from the page's.
      partition: 'report',
    },
  });
  try {
    await window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(pageOf(text))}`);
    return await window.webContents.printToPDF({ pageSize: 'A4', printBackground: false });
  } finally {
    window.destroy();
  }
}

function pageOf(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>Wallet Ferry</title><style>pre{font:10px/1.5 monospace;white-space:pre-wrap;overflow-wrap:anywhere}</style><pre>${escaped}</pre>`;
}
