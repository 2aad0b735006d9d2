/** A minimal Electron app, with which the app is compared. */
const { app, BrowserWindow } = require('electron');

app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1100,
    height: 760,
    show: false,
    webPreferences: { sandbox: true, contextIsolation: true },
  });
  window.once('ready-to-show', () => window.show());
  window.loadURL('data:text/html,<title>Bare</title><h1>Bare</h1>');
});
app.on('window-all-closed', () => app.quit());
