// Searches in words: numbers, verdicts, states.

import type { SearchState, SearchSummary, Side } from '../api/types';
import { duration } from '../engine/wording';
import type { Glyph } from '../game/opinion';
import { compact, type Key, number, t } from '../i18n';

/** From here on the digits of a proof or disproof number say nothing. */
const HUGE = 1_000_000;

/** A proof or disproof number; `null` is infinite. */
export const countText = (count: number | null): string => (count === null ? '∞' : count < HUGE ? number(count) : compact(count));

const STATES: Record<SearchState, Key> = {
  running: 'search.running',
  paused: 'search.paused',
  stopped: 'search.stopped',
  stuck: 'search.stuck',
  solved: 'search.solved',
};

export function stateText({ state, winner }: SearchSummary): string {
  return winner ? t('openings.proved', { side: t(winner) }) : t(STATES[state]);
}

/** "1,284 jobs done · 2 h 14 min of work · 3 at work". */
export function progressText(search: SearchSummary): string {
  const parts = [t('search.jobs', { n: search.jobs }), t('search.work', { time: duration(search.seconds) })];
  if (search.jobs > 0) parts.push(t('search.speed', { n: Math.round(search.speed) }));
  if (search.active > 0) parts.push(t('search.atWork', { n: search.active }));
  if (search.left !== null) parts.push(t('search.left', { time: duration(search.left) }));
  if (search.asked > 0) parts.push(t('search.asked', { n: search.asked }));
  if (search.elsewhere) parts.push(t('search.elsewhere', { who: search.elsewhere }));
  return parts.join(' · ');
}

interface Judged {
  decided: Side | null;
  verdict: string;
}

/** What is proved, or what was thought when the node was found. */
export function glyphOfNode({ decided, verdict }: Judged): Glyph {
  if (decided) return `${decided}-proved`;
  if (verdict.startsWith('b')) return 'black-likely';
  if (verdict.startsWith('w')) return 'white-likely';
  return verdict === 'stable' ? 'even' : 'open';
}

export function verdictText({ decided, verdict }: Judged): string {
  if (decided) return t('openings.proved', { side: t(decided) });
  const grade = /^([bw])(\d)$/.exec(verdict);
  if (grade) return t('search.better', { side: t(grade[1] === 'b' ? 'black' : 'white'), grade: grade[2]! });
  if (verdict === 'black-wins' || verdict === 'white-wins') return t('book.claimed', { side: t(verdict === 'black-wins' ? 'black' : 'white') });
  return verdict === 'stable' ? t('verdict.even') : t('search.unclear');
}

/** "64 %", how a search by means thinks of Black's chances; nothing in other searches. */
export const meanText = ({ mean, decided }: Judged & { mean: number | null }): string => (mean === null || decided ? '' : t('search.mean', { percent: Math.round(100 * mean) }));

export function toneOfNode(node: Judged): string {
  const glyph = glyphOfNode(node);
  return glyph.startsWith('black') ? 't-b' : glyph.startsWith('white') ? 't-w' : 'mut';
}
