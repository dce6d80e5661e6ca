// A game as White against a proof that Black wins. The server answers for Black; nothing is kept there.

import { api } from '../api/client';
import type { GomokuAnswer, GomokuProof } from '../api/types';
import { canPlace, type Position, replay } from '../game/position';
import { parseRules } from '../game/rules';

/** What kind of turn it was; White's have none. */
export type PlayKind = 'known' | 'threat' | 'five';

export interface Play {
  cell: string;
  kind: PlayKind | null;
}

export class GomokuMatch {
  /** `undefined` until the server has said whether there is one. */
  proof = $state.raw<GomokuProof | null | undefined>(undefined);
  plays = $state.raw<Play[]>([]);
  /** The proof has no answer to White's last turn. */
  left = $state(false);
  busy = $state(false);
  problem = $state('');

  readonly position = $derived.by((): Position | null => {
    if (!this.proof) return null;
    const { rules, black, white } = this.proof;
    const start = black.length > 0 ? `B:${black.join(',')} W:${white.join(',')} to-move:B` : '';
    return replay(parseRules(rules), start, this.plays.map(({ cell }) => [cell]));
  });

  constructor() {
    void this.begin();
  }

  /** Asks what there is to play against, and for Black's first turn. */
  async begin(): Promise<void> {
    await this.#try(async () => {
      this.proof = (await api.gomoku()).proof;
      if (this.proof) await this.#answer([]);
    });
  }

  get last(): Play | null {
    return this.plays.at(-1) ?? null;
  }

  /** White may place a stone. */
  get open(): boolean {
    return !this.busy && !this.left && this.position?.toMove === 'white' && !this.position.winner && !this.position.full;
  }

  /** Something of White's can be taken back. */
  get undoable(): boolean {
    return !this.busy && this.plays.length > 1;
  }

  async place(cell: string): Promise<void> {
    if (!this.open || !canPlace(this.position!, cell)) return;
    const before = this.plays;
    await this.#try(async () => {
      try {
        await this.#answer([...before, { cell, kind: null }]);
      } catch (error) {
        this.plays = before;
        throw error;
      }
    });
  }

  /** Takes back White's last turn, and what Black answered. */
  undo(): void {
    if (!this.undoable) return;
    this.plays = this.plays.slice(0, this.left ? -1 : -2);
    [this.left, this.problem] = [false, ''];
  }

  restart(): void {
    if (!this.undoable) return;
    this.plays = this.plays.slice(0, 1);
    [this.left, this.problem] = [false, ''];
  }

  async #answer(plays: Play[]): Promise<void> {
    this.plays = plays;
    const answer: GomokuAnswer = await api.gomokuPlay(plays.map(({ cell }) => cell));
    if ('cell' in answer) this.plays = [...plays, { cell: answer.cell, kind: answer.kind }];
    else this.left = answer.kind === 'left';
  }

  async #try(work: () => Promise<void>): Promise<void> {
    [this.busy, this.problem] = [true, ''];
    try {
      await work();
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.busy = false;
  }
}
