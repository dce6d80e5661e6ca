// Jobs and workers in words, and where a position can be looked at.

import type { GridClass, GridJob } from '../api/types';
import { duration } from '../engine/wording';
import { positionOf } from '../game/line.svelte';
import { parseRules } from '../game/rules';
import { type Key, number, t } from '../i18n';

/** The openings view shows any position, with what the book knows of it. */
export const boardAt = (rules: string, position: string): string => `#/openings?${new URLSearchParams({ rules, position })}`;

const KINDS: Record<string, Key> = {
  expand: 'grid.kind.expand',
  verify: 'grid.kind.verify',
  prove: 'grid.kind.prove',
  evaluate: 'grid.kind.evaluate',
};

export const kindText = (kind: string): string => (KINDS[kind] ? t(KINDS[kind]) : kind);

/** "White to play, 7 stones"; as it is if it cannot be read, for strangers wrote it. */
export function positionText(rules: string, position: string): string {
  try {
    const { toMove, stones } = positionOf(parseRules(rules), position);
    return t('grid.position', { side: t(toMove), n: stones.size });
  } catch {
    return position;
  }
}

/** "12 s", with how often it was handed out if that was more than once. */
export function timeText({ seconds, delivery }: GridJob): string {
  const time = duration(seconds);
  return delivery > 1 ? `${time} · ${t('grid.again', { n: delivery })}` : time;
}

export const CLASSES: Record<GridClass, Key> = { high: 'grid.class.high', normal: 'grid.class.normal', low: 'grid.class.low' };

export const percent = (part: number): string => t('grid.percent', { n: number(Math.round(part * 100)) });

/** "38.4". */
export const rate = (value: number): string => number(Math.round(value * 10) / 10);
