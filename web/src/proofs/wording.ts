// What a proof says, in words: a claim until the checker has passed it.

import type { ProofState, ProofSummary } from '../api/types';
import { turnsOf } from '../game/line.svelte';
import { parseRules } from '../game/rules';
import { type Key, number, t } from '../i18n';

export const STATES: Record<ProofState, Key> = {
  verified: 'proofs.state.verified',
  'verified-except': 'proofs.state.except',
  checking: 'proofs.state.checking',
  unverified: 'proofs.state.unverified',
  rejected: 'proofs.state.rejected',
  undecided: 'proofs.state.undecided',
};

export function headline(proof: ProofSummary): string {
  const side = t(proof.attacker);
  const last = turnsOf(parseRules(proof.rules), proof.moves).at(-1)?.join(' ');
  const text = last ? t('proofs.winsAfter', { side, turn: last }) : t('proofs.wins', { side });
  if (proof.state === 'verified') return text;
  return proof.state === 'verified-except' ? t('proofs.winsExcept', { text, n: proof.except.length }) : t('proofs.claim', { text });
}

/** "J10 · I8 H9 · K11 L10. White to play turn 4." */
export function startText(proof: ProofSummary): string {
  const turns = turnsOf(parseRules(proof.rules), proof.moves);
  const moves = turns.length > 0 ? turns.map((turn) => turn.join(' ')).join(' · ') : proof.position.replace(/ to-move.*/, '');
  const plays = t('proofs.toPlay', { side: t(proof.to_move) });
  return moves === '' ? plays : `${moves}. ${plays}`;
}

export function bytes(count: number): string {
  if (count < 1_000) return t('proofs.bytes', { size: number(count) });
  const [size, unit] = count < 1_000_000 ? [count / 1_000, 'kB'] : [count / 1_000_000, 'MB'];
  return `${number(Math.round(size * 10) / 10)} ${unit}`;
}
