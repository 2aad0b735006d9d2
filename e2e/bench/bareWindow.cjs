/** The least that an Electron app can be: what the app's own start is measured beside. */
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
