// Playing against a proof: the defender's turns are ours, the attacker's come from the proof.

import { api, ApiFailure, type Turn } from '../api/client';
import type { Challenge, Defence, Opinion, ProofSummary, Side } from '../api/types';
import { sameTurn } from '../game/cells';
import { turnsOf } from '../game/line.svelte';
import { canPlace, endTurn, other, place, type Position, startPosition } from '../game/position';
import { parseRules, type Rules } from '../game/rules';
import { setupText } from '../study/study.svelte';
import { matches, wholeTurn } from './defences';

export class ChallengeGame {
  readonly rules: Rules;
  readonly defender: Side;
  proof = $state.raw<ProofSummary>() as ProofSummary;

  /** All replies, those that one has gone back from included. */
  line = $state.raw<Turn[]>([]);
  /** How many of them are on the board. */
  current = $state(0);
  half = $state.raw<string[]>([]);
  state = $state.raw<Challenge | null>(null);
  /** A reply that the server has not answered yet. */
  pending = $state.raw<Turn | null>(null);
  problem = $state('');

  #known = new Map<string, Challenge>();
  #asked = 0;

  constructor(proof: ProofSummary) {
    this.proof = proof;
    this.rules = parseRules(proof.rules);
    this.defender = other(proof.attacker);
    void this.#show([], 0, []);
  }

  /** The proof has another name or state. What was refused before the checker had read it is asked again. */
  update(proof: ProofSummary): void {
    const checked = proof.state !== this.proof.state;
    this.proof = proof;
    if (checked && !this.state) void this.#show([], 0, []);
  }

  /** What the overlays ask about. */
  get study(): { rules: string } {
    return this.proof;
  }

  position: Position = $derived.by(() => {
    const position = startOf(this.proof, this.rules);
    for (const { side, turn } of this.state?.played ?? []) playAs(position, side, turn);
    for (const cell of this.pending ?? this.half) if (canPlace(position, cell)) place(position, cell);
    return position;
  });

  positionText: string = $derived.by(() => setupText(this.position));

  /** Nothing can be played: the game is over, or the answer is on its way. */
  locked: boolean = $derived.by(() => this.pending !== null || this.over);

  get over(): boolean {
    return !this.state || this.state.won || this.state.left_open || this.position.winner !== null;
  }

  last: string[] = $derived.by(() => (this.half.length > 0 || this.pending ? [] : (this.state?.played.at(-1)?.turn ?? [])));

  /** Those that contain the stones of the half-turn. */
  defences: Defence[] = $derived.by(() => (this.state?.defences ?? []).filter((defence) => matches(defence, this.half, this.turnSize)));

  /** How many stones the defender's turn has in all. */
  turnSize: number = $derived.by(() => this.position.left + (this.pending ?? this.half).length);

  /** Only what the checker has said. */
  opinion: Opinion | null = $derived.by(() => {
    const { state, proof } = this;
    if (!state || state.left_open) return null;
    const proved = proof.state === 'verified' || (proof.state === 'verified-except' && this.current > 0);
    if (!proved) return null;
    const black = proof.attacker === 'black' ? 1 : 0;
    return { certainty: 'proved', side: proof.attacker, black, turns: state.turns_left || null, grade: null, proof: proof.id };
  });

  get next(): number | undefined {
    return this.current < this.line.length ? this.current + 1 : undefined;
  }

  zoneOf(cell: string): number | null {
    const zone = (this.state?.zones ?? []).findIndex((cells) => cells.includes(cell));
    return zone < 0 ? null : zone + 1;
  }

  // Playing.

  /** Places a stone, or lifts the half-turn's stone that is there; a whole turn is answered at once. */
  place(cell: string): void {
    if (this.locked) return;
    this.problem = '';
    if (this.half.includes(cell)) {
      this.half = this.half.filter((stone) => stone !== cell);
      return;
    }
    const { position } = this;
    if (!canPlace(position, cell)) return;
    const stones = [...this.half, cell];
    if (position.left > 1) this.half = stones;
    else this.reply(stones);
  }

  reply(turn: Turn): void {
    const before = this.line[this.current];
    const line = before && sameTurn(before, turn) ? this.line : [...this.line.slice(0, this.current), turn];
    void this.#show(line, this.current + 1, []);
  }

  defend(defence: Defence | undefined): void {
    if (defence && !this.locked) this.reply(wholeTurn(defence, this.half, this.turnSize));
  }

  /** The first of the listed defences stands longest. */
  hardest(): void {
    this.defend(this.defences[0]);
  }

  lift(): void {
    this.backStone();
  }

  // Going about.

  goTo(current: number, half: string[] = []): void {
    if (current >= 0 && current <= this.line.length) void this.#show(this.line, current, half);
  }

  toStart(): void {
    this.goTo(0);
  }

  toEnd(): void {
    this.goTo(this.line.length);
  }

  backTurn(): void {
    this.goTo(this.half.length > 0 ? this.current : this.current - 1);
  }

  forwardTurn(): void {
    this.goTo(this.current + 1);
  }

  backStone(): void {
    this.problem = '';
    if (this.half.length > 0) this.half = this.half.slice(0, -1);
    else if (this.current > 0) this.goTo(this.current - 1, this.line[this.current - 1]!.slice(0, -1));
  }

  forwardStone(): void {
    const rest = (this.line[this.current] ?? []).filter((cell) => !this.half.includes(cell));
    if (rest.length <= 1) this.forwardTurn();
    else this.half = [...this.half, rest[0]!];
  }

  /** An answer that comes late, after something else was asked, is dropped. */
  async #show(line: Turn[], current: number, half: string[]): Promise<void> {
    const replies = line.slice(0, current);
    const key = JSON.stringify(replies);
    const number = ++this.#asked;
    let state = this.#known.get(key);
    if (!state) {
      this.pending = current > this.current ? (replies.at(-1) ?? null) : null;
      try {
        state = await api.challenge(this.proof.id, replies);
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        if (number !== this.#asked) return;
        [this.pending, this.problem] = [null, error.message];
        return;
      }
      this.#known.set(key, state);
      if (number !== this.#asked) return;
    }
    [this.line, this.current, this.half] = [line, current, half];
    [this.state, this.pending, this.problem] = [state, null, ''];
  }
}

/** Where a proof starts; with turn numbers if its moves are known. */
export function startOf(proof: ProofSummary, rules: Rules): Position {
  const position = startPosition(rules, proof.moves === '' ? proof.position : '');
  for (const cell of turnsOf(rules, proof.moves).flat()) if (canPlace(position, cell)) place(position, cell);
  return position;
}

function playAs(position: Position, side: Side, turn: Turn): void {
  if (position.toMove !== side && !position.winner) endTurn(position);
  for (const cell of turn) if (canPlace(position, cell)) place(position, cell);
}
