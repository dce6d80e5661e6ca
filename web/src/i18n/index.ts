// Words in the reader's language. All strings of a language are in one file.

import { settings, type Language } from '../settings.svelte';
import { en, type Key, type Words } from './en';

export type { Key };

const LANGUAGES: Record<Language, Words> = { en, 'zh-Hant': en, 'zh-Hans': en, ja: en };

export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  'zh-Hant': '繁體中文',
  'zh-Hans': '简体中文',
  ja: '日本語',
};

/** The text of a key with its places filled in. `n` of 1 picks the `_one` form where there is one. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const words = LANGUAGES[settings.language];
  const one = `${key}_one` as Key;
  const text = values.n === 1 && one in words ? words[one] : words[key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
  });
}

export function number(value: number): string {
  return new Intl.NumberFormat(settings.language).format(value);
}

export function clock(milliseconds: number): string {
  return new Intl.DateTimeFormat(settings.language, { hour: '2-digit', minute: '2-digit' }).format(milliseconds);
}

export function date(seconds: number): string {
  return new Intl.DateTimeFormat(settings.language, { dateStyle: 'medium' }).format(seconds * 1_000);
}
