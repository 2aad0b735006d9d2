/** An app that was just started, with the watch over its page. */
import type { App } from './app.ts';
import type { PageTrouble } from './pageTrouble.ts';

export interface Opened {
  app: App;
  trouble: PageTrouble;
}
