// Jobs in words.

import type { Job, JobOutcome, Shape } from '../api/types';
import { number, t } from '../i18n';
import { settings } from '../settings.svelte';
import { isRefuted } from './proving.svelte';

/** "412k", "3.1M". */
export function compact(value: number): string {
  return new Intl.NumberFormat(settings.language, { notation: 'compact', maximumFractionDigits: value >= 1e6 ? 1 : 0 }).format(value);
}

/** "7 s", "12 min", "1 h 5 min". */
export function duration(seconds: number): string {
  if (seconds < 120) return t('time.seconds', { n: Math.floor(seconds) });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t('time.minutes', { n: minutes });
  const rest = minutes % 60;
  const hours = t('time.hours', { n: Math.floor(minutes / 60) });
  return rest === 0 ? hours : `${hours} ${t('time.minutes', { n: rest })}`;
}

export function jobTitle({ request }: Job): string {
  switch (request.kind) {
    case 'find-win':
      return t(`job.find.${Math.min(Math.max(request.order, 1), 4) as 1 | 2 | 3 | 4}`);
    case 'verify':
      return t('job.verify');
    case 'analyze':
      return t('job.analyze');
    case 'turn':
      return t('job.turn');
    case 'check':
      return t('job.check');
    case 'import-games':
      return t('job.import');
  }
}

export function stateText({ state }: Job): string {
  return t(`job.state.${state}`);
}

/** What is known of how far a job is; nothing invented. */
export function progressText({ progress, kind }: Job): string {
  const { seconds, limit, nodes, depth, stage, stages, refuted, open, total } = progress;
  if (kind === 'import-games') return total === null ? t('job.games', { n: nodes }) : t('job.gamesOf', { n: nodes, total });
  const parts = [limit === null ? duration(seconds) : t('job.timeOf', { time: duration(seconds), limit: duration(limit) })];
  if (stage !== null && stages !== null && stage > 0) parts.push(t('job.stage', { stage, stages }));
  if (refuted !== null && open !== null) parts.push(t('job.replies', { refuted, open }));
  else if (depth !== null) parts.push(t('engine.depth', { n: depth }));
  if (nodes > 0 && refuted === null) parts.push(t('job.nodes', { nodes: compact(nodes) }));
  return parts.join(' · ');
}

/** What came out, in one sentence. */
export function outcomeText(job: Job): string {
  const { outcome, state, request } = job;
  if (state === 'failed') return job.error ?? t('job.state.failed');
  if (!outcome) return stateText(job);
  switch (outcome.kind) {
    case 'win':
      return t('verdict.winsIn', { side: t(outcome.side), n: outcome.turns });
    case 'none':
      return t(`job.none.${request.kind === 'find-win' && request.order <= 2 ? (request.order as 1 | 2) : 3}`);
    case 'unknown':
      return t('job.unknown', { time: duration(job.progress.seconds) });
    case 'verified':
      return verifiedText(outcome);
    case 'checked':
      return t('job.checked', { title: outcome.proof.title });
    case 'imported':
      return t('job.imported', { n: outcome.games });
    default:
      return stateText(job);
  }
}

function verifiedText(outcome: Extract<JobOutcome, { kind: 'verified' }>): string {
  const { survivors, open, replies, attacker, finished } = outcome;
  if (isRefuted(outcome)) return t('job.allLose', { side: t(attacker) });
  if (survivors.some(({ stones }) => stones.length === 0)) return t('job.noneRefuted');
  if (open !== null && replies > 0) return t(finished ? 'job.survive' : 'job.surviveSoFar', { open, replies });
  return t('job.sets', { n: survivors.length });
}

/** "live three", "dead four". */
export function shapeText({ kind, stones }: Shape): string {
  const names = ['', '', 'two', 'three', 'four', 'five'] as const;
  const name = names[stones];
  return t(`shape.${kind}`, { size: name ? t(`shape.${name}`) : number(stones) });
}
