import { english, pageLanguage, sayText } from './say.ts'

/** The texts that the scripts of the frame show: `say` in script/announce.js. */
const TEXTS = [
  ...[english('Working on it'), english('Copied'), english('Selected. Copy it with your keyboard.')],
  english('The request did not arrive. Check your connection and try again.'),
  ...[english('Search'), english('Search pages, names, ids and numbers'), english('Close')],
  english('Open as a page'),
]

/** The translations of the texts as JSON. The scripts have the English texts. */
export function scriptWords(): string | undefined {
  if (pageLanguage() === 'en') return
  return JSON.stringify(Object.fromEntries(TEXTS.map(text => [text, sayText(text)])))
}
