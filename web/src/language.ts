// Which language to speak.

export type Language = 'en' | 'zh-Hant' | 'zh-Hans' | 'ja';

/** The first of the browser's languages that the page speaks. */
export function browserLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const lower = tag.toLowerCase();
    if (lower.startsWith('zh')) return /hant|tw|hk|mo/.test(lower) ? 'zh-Hant' : 'zh-Hans';
    if (lower.startsWith('ja')) return 'ja';
    if (lower.startsWith('en')) return 'en';
  }
  return 'en';
}
