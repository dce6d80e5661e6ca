// Words, numbers and dates in the reader's language. All strings of a language are in one file.

import type { Language } from '../language';
import { en, type Key } from './en';
import { now } from './words.svelte';

export type { Key };
export { speak } from './words.svelte';

export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  'zh-Hant': '繁體中文',
  'zh-Hans': '简体中文',
  ja: '日本語',
};

/** The text of a key with its places filled in. `n` of 1 picks the `_one` form where there is one. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const { words } = now();
  const one = values.n === 1 ? words[`${key}_one` as Key] : undefined;
  const text = one ?? words[key] ?? en[key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
  });
}

export function number(value: number): string {
  return new Intl.NumberFormat(now().language).format(value);
}

/** A number that may be huge, in little room: 4.3B. */
export function compact(value: number): string {
  return new Intl.NumberFormat(now().language, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

export function clock(milliseconds: number): string {
  return new Intl.DateTimeFormat(now().language, { hour: '2-digit', minute: '2-digit' }).format(milliseconds);
}

export function date(seconds: number): string {
  return new Intl.DateTimeFormat(now().language, { dateStyle: 'medium' }).format(seconds * 1_000);
}
