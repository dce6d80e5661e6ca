// The language that the page speaks. English comes with the page, the others are fetched when they are wanted.

import type { Language } from '../language';
import { en, type Words } from './en';

const FETCHED: Record<Exclude<Language, 'en'>, () => Promise<{ words: Words }>> = {
  'zh-Hant': () => import('./zh-Hant'),
  'zh-Hans': () => import('./zh-Hans'),
  ja: () => import('./ja'),
};

interface Spoken {
  language: Language;
  words: Partial<Words>;
}

let spoken = $state.raw<Spoken>({ language: 'en', words: en });
let wanted: Language = 'en';

/** What is spoken now: the language before, until the words of the one that is wanted are there. */
export const now = (): Spoken => spoken;

/** Speaks a language from when its words are there; stays with what is spoken if they cannot be fetched. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  const words = language === 'en' ? en : await FETCHED[language]().then((file) => file.words, () => null);
  if (words && wanted === language) spoken = { language, words };
}
