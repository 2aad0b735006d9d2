/** Starts the page once zod knows that it may not compile schemas (its security policy forbids eval), in its language. */
import { z } from 'zod';
import { notLetIn } from '../shared/door/letIn.ts';
import { speakOwnLanguage } from './ownLanguage.ts';
import { readSession } from './state/bridge/session.ts';

// Both count when a schema or a text is made, so everything that makes one is loaded after this.
z.config({ jitless: true });
void speakOwnLanguage().then(() => {
  if (window.ferry || readSession()) return import('./start.tsx');
  document.body.textContent = notLetIn();
});
