/** The page's files in the language of this process, in a file of its own so that little is loaded for the first one. */
import '../../threads/setLanguage.ts';

export { pageFile as ownPageFile } from '../browser/page.ts';
