// Everything of the engine that belongs to the open study, and the one place that decides what of it the board shows.

import type { Opinion, Side } from '../api/types';
import type { Tag } from '../board/marks';
import { keep } from '../storage';
import type { OpenStudy } from '../study/study.svelte';
import { workbench } from '../workbench.svelte';
import { Analysis, tagsOf } from './analysis.svelte';
import { PlayedGame } from './game.svelte';
import { Proving } from './proving.svelte';

export class EngineDesk {
  readonly analysis: Analysis;
  readonly game: PlayedGame;
  readonly proving: Proving;
  #stop: () => void;

  constructor(study: OpenStudy) {
    let analysis!: Analysis, game!: PlayedGame, proving!: Proving;
    this.#stop = $effect.root(() => {
      game = new PlayedGame(study);
      analysis = new Analysis(study, () => game.hidesVerdict);
      proving = new Proving(study);
      $effect(() => keep('engine', workbench.engineOn));
      $effect(() => {
        workbench.tags = { position: study.positionText, value: this.#tags };
      });
      $effect(() => {
        workbench.opinion = { position: study.positionText, value: this.#opinion(study) };
      });
      $effect(() => {
        workbench.zones = { position: study.nodeText, value: game.hidesVerdict ? [] : proving.zones };
      });
      // Ghosts of a line are gone with its position.
      $effect(() => {
        void study.positionText;
        return () => (workbench.ghosts = []);
      });
    });
    [this.analysis, this.game, this.proving] = [analysis, game, proving];
  }

  close = (): void => {
    this.analysis.close();
    this.game.close();
    this.#stop();
  };

  get #tags(): Tag[] {
    const { analysis, game, proving } = this;
    if (game.hinted) return tagsOf([game.hinted.turn]);
    if (game.hidesVerdict) return [];
    return workbench.tab === 'proof' && proving.tags.length > 0 ? proving.tags : analysis.tags;
  }

  #opinion(study: OpenStudy): Opinion | null {
    const { analysis, game, proving } = this;
    const { winner } = study.position;
    if (winner) return completed(winner);
    if (game.hidesVerdict) return null;
    const whole = study.half.length === 0;
    const proved = whole ? proving.opinion : null;
    return proved ?? analysis.opinion ?? (whole ? study.node.opinion : null);
  }
}

/** A completed line needs no proof. */
const completed = (side: Side): Opinion => ({ certainty: 'proved', side, black: side === 'black' ? 1 : 0, turns: null, grade: null, proof: null });
