/** The language of the page: that of the process which serves it, told by the document itself. */
import { parseCatalogue, speak } from '../shared/text/say.ts';

/** Before any text is made. Falls back to English when the translation cannot be had. */
export async function speakOwnLanguage(): Promise<void> {
  const language = document.documentElement.lang;
  try {
    const catalogue = language === 'en' ? {} : await translation();
    speak(language, catalogue, navigator.languages);
  } catch {
    speak('en', {}, navigator.languages);
  }
}

async function translation() {
  const answer = await fetch('./language.json');
  return parseCatalogue(await answer.json());
}
