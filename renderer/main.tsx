/** Starts the page once zod knows that it may not compile schemas (its security policy forbids eval), in its language. */
import { z } from 'zod/mini';
import { readSession } from '../shared/model/seal.ts';
import { noAccessText } from '../shared/wording/lines.ts';
import { configureLanguage, parseCatalogue } from '../shared/wording/say.ts';

// Both count when a schema or a text is made, so everything that makes one is loaded after this.
z.config({ jitless: true });
void speakOwnLanguage().then(() => {
  if (window.ferry || readSession()) return import('./start.tsx');
  document.body.textContent = noAccessText();
});

/** Before any text is made. Falls back to English when the translation cannot be had. */
async function speakOwnLanguage(): Promise<void> {
  const language = document.documentElement.lang;
  try {
    const answer = language === 'en' ? null : await fetch('./language.json');
    const catalogue = answer ? parseCatalogue(await answer.json()) : {};
    configureLanguage(language, catalogue, navigator.languages);
  } catch {
    configureLanguage('en', {}, navigator.languages);
  }
}
