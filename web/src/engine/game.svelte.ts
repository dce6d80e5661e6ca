// A game of a person against the engine, in the tree of a study. The engine's turns are jobs: a reload loses none.

import { untrack } from 'svelte';
import { api, ApiFailure, type Turn } from '../api/client';
import { live } from '../api/live.svelte';
import type { GameInfo, Job, Line, Side } from '../api/types';
import { other, type Position, replay } from '../game/position';
import { t } from '../i18n';
import { router } from '../route.svelte';
import { keep, kept } from '../storage';
import type { OpenStudy } from '../study/study.svelte';
import { workbench } from '../workbench.svelte';
import { GameClock, type Times } from './clock.svelte';
import { isOver } from './jobs';

export interface GameChoice {
  person: Side;
  level: number;
  /** Of each side; nothing for no clocks. */
  minutes: number | null;
  /** Seconds added after each turn. */
  increment: number;
}

export interface Result {
  winner: Side | null;
  how: 'line' | 'resigned' | 'time' | 'full';
}

interface Stored extends GameChoice {
  start: number;
  /** The node where the game stands. */
  head: number;
  left: Times;
  result: Result | null;
  /** The study was made for the game: the result is written there. */
  own: boolean;
}

export type GameState = 'none' | 'over' | 'away' | 'person' | 'engine';

const HINT_SECONDS = 2;
/** The engine spends this part of its time on a turn, and most of the increment. */
const SHARE_OF_TIME = 1 / 25;
const SHARE_OF_INCREMENT = 0.8;
const USUAL_SECONDS = 5;
const LEAST_SECONDS = 0.2;

const keyOf = (study: number): string => `study.${study}.game`;

export class PlayedGame {
  readonly study: OpenStudy;
  readonly clock: GameClock;
  /** The verdict is hidden during a game unless asked for. */
  showVerdict = $state(false);
  problem = $state('');
  hint = $state.raw<{ position: string; line: Line | null } | null>(null);

  #stored = $state.raw<Stored | null>(null);
  #job = $state<number | null>(null);
  /** The node whose turn is being asked for. */
  #asking: number | null = null;

  constructor(study: OpenStudy) {
    this.study = study;
    this.clock = new GameClock(
      () => this.#keepTimes(),
      (side) => this.#finish({ winner: other(side), how: 'time' }),
    );
    this.#stored = kept<Stored>(keyOf(study.study.id));
    if (this.#stored) this.clock.left = this.#stored.left;
    $effect(() => this.#follow());
    $effect(() => this.#ask());
    $effect(() => this.#answered());
    $effect(() => this.#time());
  }

  close(): void {
    this.clock.stop();
  }

  // How it stands.

  get choice(): GameChoice | null {
    return this.#stored;
  }

  get result(): Result | null {
    return this.#stored?.result ?? null;
  }

  readonly state: GameState = $derived.by(() => {
    const game = this.#stored;
    if (!game || !this.study.tree.has(game.head)) return 'none';
    if (game.result) return 'over';
    if (this.study.current !== game.head) return 'away';
    return this.study.nodePosition.toMove === game.person ? 'person' : 'engine';
  });

  /** A game is on, looked at or not. */
  readonly on: boolean = $derived.by(() => this.state !== 'none' && this.state !== 'over');

  readonly locked: boolean = $derived.by(() => this.state === 'engine');

  readonly hidesVerdict: boolean = $derived.by(() => this.on && !this.showVerdict);

  readonly hinted: Line | null = $derived.by(() => (this.hint?.position === this.study.positionText ? this.hint.line : null));

  readonly hinting: boolean = $derived.by(() => this.hint?.position === this.study.positionText && this.hint.line === null);

  /** The node before the person's last turn. */
  readonly before: number | null = $derived.by(() => {
    const game = this.#stored;
    if (!game || !this.study.tree.has(game.head) || game.result?.how === 'time') return null;
    const path = this.study.tree.path(game.head);
    const played = path.slice(Math.max(0, path.indexOf(game.start)), -1).reverse();
    return played.find((node) => this.#at(node).toMove === game.person) ?? null;
  });

  #at(node: number): Position {
    return replay(this.study.rules, this.study.study.start, this.study.tree.turns(node));
  }

  // What a person does.

  /** A game from the node that is shown. */
  start(choice: GameChoice): void {
    this.#drop();
    const game = newGame(choice, this.study.current, false);
    this.clock.left = game.left;
    this.#set(game);
    workbench.tool = 'stone';
    this.study.goTo(this.study.current);
  }

  /** A game from the beginning, in a study of its own. */
  async startElsewhere(choice: GameChoice): Promise<void> {
    const engine = t('play.engineName', { n: choice.level });
    const names = { [choice.person]: t('play.you'), [other(choice.person)]: engine };
    const info: GameInfo = { black: '', white: '', result: '', date: today(), place: '', event: '', source: '', ...names };
    await workbench.try(async () => {
      const { study } = await api.newStudy({ title: t('play.title', { n: choice.level }), rules: this.study.study.rules, info });
      keep(keyOf(study.id), newGame(choice, 0, true));
      router.go('study', study.id);
    });
  }

  takeBack(): void {
    const { before } = this;
    if (before === null) return;
    this.#drop();
    this.#change({ head: before, result: null });
    this.study.goTo(before);
  }

  resign(): void {
    if (!this.#stored) return;
    this.#drop();
    this.#finish({ winner: other(this.#stored.person), how: 'resigned' });
  }

  /** Leaves the game; its turns stay in the tree. */
  end(): void {
    this.#drop();
    this.#set(null);
  }

  continueHere(): void {
    this.#drop();
    const { current } = this.study;
    this.#change({ head: current, result: null });
  }

  backToGame(): void {
    if (this.#stored) this.study.goTo(this.#stored.head);
  }

  async askHint(): Promise<void> {
    const { study } = this;
    const position = study.positionText;
    this.hint = { position, line: null };
    const started = await workbench.try(() =>
      live.start({
        request: { kind: 'analyze', rules: study.study.rules, position, lines: 1, exclude: [], seconds: HINT_SECONDS },
        study: study.study.id,
        node: study.current,
      }),
    );
    const job = started && (await live.ended(started.id));
    if (job) void live.forget(job.id);
    const line = job?.outcome?.kind === 'analysis' ? (job.outcome.lines[0] ?? null) : null;
    if (job?.error) workbench.say(job.error);
    if (this.hint?.position === position) this.hint = line ? { position, line } : null;
  }

  playHint(): void {
    if (this.hinted) this.study.playTurn([...this.study.half, ...this.hinted.turn]);
  }

  /** After a failure. */
  askAgain(): void {
    this.#drop();
  }

  // What happens.

  /** The person's turn takes the game on; a completed line ends it. */
  #follow(): void {
    const game = this.#stored;
    const { current, tree } = this.study;
    if (!game || game.result) return;
    if (!tree.has(game.head)) {
      // Undo, or another window, took the turn away: the game goes on from what is left.
      untrack(() => this.#change({ head: current }));
      return;
    }
    untrack(() => {
      const played = current !== game.head && tree.parent(current) === game.head && this.#at(game.head).toMove === game.person;
      if (played) this.#turnEnds(game.person, current);
      if (this.#stored?.head !== current) return;
      const { winner, full } = this.study.nodePosition;
      if (winner || full) this.#finish({ winner, how: winner ? 'line' : 'full' });
    });
  }

  #turnEnds(side: Side, head: number): void {
    this.clock.add(side, this.#stored?.increment ?? 0);
    this.#change({ head });
  }

  #ask(): void {
    const game = this.#stored;
    if (this.state !== 'engine' || !live.online || !game || this.problem !== '') return;
    const { nodeText: position, nodePosition } = this.study;
    if (nodePosition.winner || nodePosition.full) return;
    void untrack(() => this.#request(game, position));
  }

  async #request(game: Stored, position: string): Promise<void> {
    if (this.#asking === game.head || (this.#job !== null && live.jobs.has(this.#job))) return;
    this.#asking = game.head;
    const study = this.study.study;
    const pending = [...live.jobs.values()].find(
      (job) => job.kind === 'turn' && job.study === study.id && job.node === game.head && !['failed', 'stopped'].includes(job.state),
    );
    const request = { kind: 'turn', rules: study.rules, position, level: game.level, seconds: this.#seconds(game) } as const;
    try {
      const job = pending ?? (await live.start({ request, study: study.id, node: game.head }));
      if (this.#stored?.head === game.head && this.on) this.#job = job.id;
      else void live.forget(job.id);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (!error.offline) this.problem = error.message;
    } finally {
      this.#asking = null;
    }
  }

  #seconds(game: Stored): number {
    if (game.minutes === null) return USUAL_SECONDS;
    const left = this.clock.left[other(game.person)] / 1_000;
    const wish = left * SHARE_OF_TIME + game.increment * SHARE_OF_INCREMENT;
    return Math.max(LEAST_SECONDS, Math.min(wish, left / 2));
  }

  #answered(): void {
    const job: Job | undefined = this.#job === null ? undefined : live.jobs.get(this.#job);
    if (!job || !isOver(job) || this.state !== 'engine') return;
    untrack(() => {
      this.#drop();
      if (job.outcome?.kind === 'turn') this.#play(job.outcome.turn);
      else this.problem = job.error ?? t('play.noAnswer');
    });
  }

  #play(turn: Turn): void {
    const engine = this.study.nodePosition.toMove;
    this.study.playTurn(turn);
    this.#turnEnds(engine, this.study.current);
    workbench.announcement = t('play.played', { side: t(engine), stones: turn.join(' ') });
  }

  #time(): (() => void) | undefined {
    const { state } = this;
    if (!this.#stored || this.#stored.minutes === null || (state !== 'person' && state !== 'engine')) return undefined;
    this.clock.run(this.study.nodePosition.toMove);
    return () => this.clock.stop();
  }

  #finish(result: Result): void {
    this.#drop();
    this.#change({ result });
    workbench.say(resultText(result));
    const { own } = this.#stored ?? {};
    if (own) void this.#record(result);
  }

  async #record({ winner, how }: Result): Promise<void> {
    const marks = { line: '', full: '', resigned: 'R', time: 'T' };
    const result = winner ? `${winner === 'black' ? 'B' : 'W'}+${marks[how]}` : '0';
    const info = { ...this.study.study.info, result };
    const changed = await workbench.try(() => api.changeStudy(this.study.study.id, { info }));
    if (changed) this.study.study = { ...this.study.study, info };
  }

  // Keeping.

  #drop(): void {
    this.problem = '';
    if (this.#job !== null) void live.forget(this.#job);
    this.#job = null;
  }

  #change(change: Partial<Stored>): void {
    if (this.#stored) this.#set({ ...this.#stored, ...change, left: $state.snapshot(this.clock.left) });
  }

  #set(game: Stored | null): void {
    this.#stored = game;
    keep(keyOf(this.study.study.id), game);
  }

  /** Without telling anybody: only the clock's face has changed. */
  #keepTimes(): void {
    if (this.#stored) keep(keyOf(this.study.study.id), { ...this.#stored, left: $state.snapshot(this.clock.left) });
  }
}

function newGame(choice: GameChoice, node: number, own: boolean): Stored {
  const time = (choice.minutes ?? 0) * 60_000;
  return { ...choice, start: node, head: node, left: { black: time, white: time }, result: null, own };
}

const today = (): string => new Date().toISOString().slice(0, 10);

/** "White wins on time." */
export function resultText({ winner, how }: Result): string {
  if (!winner) return t('play.result.full');
  return t(`play.result.${how === 'full' ? 'line' : how}`, { side: t(winner), other: t(other(winner)) });
}
