// What the server knows of the position on the board: threats, shapes, heat, known turns. Asked for when the position
// has stood still for a moment; an answer that comes late is dropped.

import { api } from '../api/client';
import type { Explored, Facts, HeatCell } from '../api/types';
import { type KnownCell, type LineMark, linesOf } from '../board/marks';
import { glyphOf } from '../game/opinion';
import { settings } from '../settings.svelte';
import { workbench } from '../workbench.svelte';
import type { OpenStudy } from './study.svelte';

const PAUSE = 60;

export class Overlays {
  facts = $state.raw<Facts | null>(null);
  heat = $state.raw<HeatCell[]>([]);
  explored = $state.raw<Explored | null>(null);
  readonly stop: () => void;

  constructor(study: () => Pick<OpenStudy, 'positionText'> & { study: { rules: string } }) {
    this.stop = $effect.root(() => {
      const where = () => ({ rules: study().study.rules, position: study().positionText });
      this.#follow(where, () => this.#factsWanted, api.facts, (facts) => (this.facts = facts));
      this.#follow(where, () => settings.all.overlays.heat, api.heat, (heat) => (this.heat = heat?.cells ?? []));
      this.#follow(where, () => settings.all.overlays.book, api.explore, (explored) => (this.explored = explored));
    });
  }

  get #factsWanted(): boolean {
    const { threats, shapes } = settings.all.overlays;
    return threats || shapes || (settings.all.panel && workbench.tab === 'analysis');
  }

  get lines(): LineMark[] {
    const { threats, shapes } = settings.all.overlays;
    return this.facts ? linesOf(this.facts, threats, shapes) : [];
  }

  /** The first stones of known turns, each with the best that is known. */
  get known(): KnownCell[] {
    const cells = new Map<string, KnownCell>();
    for (const { turn, opinion } of this.explored?.turns ?? []) {
      for (const cell of turn) {
        const known = cells.get(cell);
        if (!known || (known.glyph === 'open' && opinion)) cells.set(cell, { cell, glyph: glyphOf(opinion) });
      }
    }
    return [...cells.values()];
  }

  #follow<T>(
    where: () => { rules: string; position: string },
    wanted: () => boolean,
    ask: (position: { rules: string; position: string }) => Promise<T>,
    take: (answer: T | null) => void,
  ): void {
    $effect(() => {
      const position = where();
      take(null);
      if (!wanted()) return;
      let current = true;
      const timer = setTimeout(async () => {
        const answer = await ask(position).catch(() => null);
        if (current) take(answer);
      }, PAUSE);
      return () => {
        current = false;
        clearTimeout(timer);
      };
    });
  }
}
