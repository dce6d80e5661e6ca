// The engine that follows the board: one analysis job for the position shown, a new one when the position changes.

import { untrack } from 'svelte';
import { api, ApiFailure, type Turn } from '../api/client';
import { live } from '../api/live.svelte';
import type { Job, JobRequest, Line, Opinion, Side } from '../api/types';
import type { Tag } from '../board/marks';
import { sameTurn } from '../game/cells';
import { opinionText } from '../game/opinion';
import { settings } from '../settings.svelte';
import { keep, kept } from '../storage';
import type { OpenStudy } from '../study/study.svelte';
import { workbench } from '../workbench.svelte';
import { Announcer } from './announcer';
import { findJob, isOver } from './jobs';
import { isBetterFounded, ofPosition } from './opinions';

type Request = Extract<JobRequest, { kind: 'analyze' }>;

/** The lines last heard, with what they are about. */
interface Shown {
  request: Request | null;
  /** Stones of the turn that were placed already. */
  half: string[];
  node: number;
  mover: Side;
  lines: Line[];
  othersLose: boolean;
}

const NOTHING: Shown = { request: null, half: [], node: 0, mover: 'black', lines: [], othersLose: false };

/** The position must stand still for so long before a job is started. */
const PAUSE = 200;
/** What a shorter look found is not written on the node. */
const LEAST_SECONDS = 1;

export class Analysis {
  problem = $state('');
  readonly study: OpenStudy;

  #id = $state<number | null>(null);
  #shown = $state.raw(NOTHING);
  #excluded = $state.raw<Record<string, Turn[]>>({});
  #about: Omit<Shown, 'lines' | 'othersLose'> = NOTHING;
  #announcer = new Announcer();
  /** The job whose last word was written down: who undoes that edit is not overruled. */
  #written: number | null = null;
  /** What a job is being started for: one start at a time for one wish. */
  #asking: string | null = null;
  #suspended: () => boolean;
  #closed = false;

  constructor(study: OpenStudy, suspended: () => boolean) {
    this.study = study;
    this.#suspended = suspended;
    this.#excluded = kept<Record<string, Turn[]>>(this.#key) ?? {};
    $effect(() => this.#follow());
    $effect(() => this.#hear());
    $effect(() => this.#announce());
  }

  /** The page leaves the study: the job goes on only if one can come back to it by the browser's button. */
  close(): void {
    this.#closed = true;
    this.#announcer.hush();
    // While a view is taken down, state still has the values of before.
    queueMicrotask(() => (workbench.study === this.study ? this.#write() : this.#leave()));
  }

  get #key(): string {
    return `study.${this.study.study.id}.excluded`;
  }

  // What is wanted and what is there.

  /** Why there is nothing to analyse. */
  readonly decided: boolean = $derived.by(() => this.study.position.winner !== null || this.study.position.full);
  readonly suspended: boolean = $derived.by(() => this.#suspended());

  #wanted: string | null = $derived.by(() => {
    if (!workbench.engineOn || this.decided || this.suspended) return null;
    const { rules } = this.study.study;
    const { positionText: position } = this.study;
    return JSON.stringify({ kind: 'analyze', rules, position, lines: settings.all.lines, exclude: this.excluded });
  });

  readonly job: Job | null = $derived.by(() => (this.#id === null ? null : (live.jobs.get(this.#id) ?? null)));

  /** The server does not know the job any more. */
  readonly #lost: boolean = $derived.by(() => this.#id !== null && this.job === null);

  readonly running: boolean = $derived.by(() => this.job !== null && !isOver(this.job));

  readonly here: boolean = $derived.by(() => this.#shown.request?.position === this.study.positionText);

  /** The lines are of another position, or of other wishes, than those on the screen. */
  readonly stale: boolean = $derived.by(
    () => !this.here || (this.#wanted !== null && JSON.stringify(this.#shown.request) !== this.#wanted),
  );

  /** Lines to show; those of another position only while new ones are on their way. */
  readonly lines: Line[] = $derived.by(() => (this.here || this.#wanted !== null ? this.#shown.lines : []));

  readonly mover: Side = $derived.by(() => this.#shown.mover);

  /** The stones that come before those of the lines. */
  readonly half: string[] = $derived.by(() => this.#shown.half);

  readonly othersLose: boolean = $derived.by(() => !this.stale && this.#shown.othersLose);

  readonly opinion: Opinion | null = $derived.by(() => (this.stale ? null : opinionOf(this.#shown)));

  readonly tags: Tag[] = $derived.by(() => (this.stale ? [] : tagsOf(this.#shown.lines.map((line) => line.turn))));

  // What a person does.

  play(line: Line): void {
    if (!this.stale) this.study.playTurn([...this.half, ...line.turn]);
  }

  get excluded(): Turn[] {
    return this.#excluded[this.study.positionText] ?? [];
  }

  exclude(turn: Turn): void {
    this.#exclude([...this.excluded, turn]);
  }

  include(turn: Turn): void {
    this.#exclude(this.excluded.filter((other) => !sameTurn(other, turn)));
  }

  #exclude(turns: Turn[]): void {
    const { [this.study.positionText]: _, ...others } = this.#excluded;
    this.#excluded = turns.length > 0 ? { ...others, [this.study.positionText]: turns } : others;
    keep(this.#key, Object.keys(this.#excluded).length > 0 ? this.#excluded : null);
  }

  // The job.

  /** Starts, finds again or gives up a job as the position and the wishes change. */
  #follow(): (() => void) | undefined {
    const wanted = this.#wanted;
    if (!live.online) return undefined;
    if (this.#lost) this.#id = null;
    if (wanted === null) {
      untrack(() => this.#leave());
      return undefined;
    }
    const timer = setTimeout(() => void this.#begin(wanted), PAUSE);
    return () => clearTimeout(timer);
  }

  async #begin(wanted: string): Promise<void> {
    const request = JSON.parse(wanted) as Request;
    const { study } = this;
    const what = { request, study: study.study.id, node: study.current };
    const about = { request, half: study.half, node: study.current, mover: study.position.toMove };
    const known = findJob(what);
    if (this.#asking === wanted || (known && known.id === this.#id)) return;
    this.#leave();
    this.problem = '';
    this.#asking = wanted;
    try {
      const job = known ?? (await live.start(what));
      if (this.#closed || this.#asking !== wanted || wanted !== this.#wanted) {
        void live.forget(job.id);
        return;
      }
      [this.#about, this.#id] = [about, job.id];
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (!error.offline) this.problem = error.message;
    } finally {
      if (this.#asking === wanted) this.#asking = null;
    }
  }

  /** Writes down what was found and forgets the job. */
  #leave(): void {
    if (this.#id === null) return;
    this.#write();
    const id = this.#id;
    this.#id = null;
    void live.forget(id);
  }

  #hear(): void {
    const { job } = this;
    if (!job) return;
    const ended = job.outcome?.kind === 'analysis' ? job.outcome : null;
    const lines = ended?.lines ?? job.progress.lines;
    if (lines.length > 0) this.#shown = { ...this.#about, lines, othersLose: ended?.others_lose ?? false };
    if (!isOver(job)) return;
    if (job.state === 'stopped') workbench.engineOn = false;
    if (job.error) this.problem = job.error;
    untrack(() => this.#write());
    if (!job.seen) void api.seenJob(job.id).catch(() => undefined);
  }

  /** The verdict, on the node it is about; half-turns have none. */
  #write(): void {
    const { request, node, half } = this.#shown;
    const job = this.#id === null ? undefined : live.jobs.get(this.#id);
    if (!job || job.id === this.#written || !request || half.length > 0 || !this.study.tree.has(node) || this.#about.request !== request) return;
    if (job.progress.seconds < LEAST_SECONDS && !isOver(job)) return;
    if (isOver(job)) this.#written = job.id;
    const opinion = opinionOf(this.#shown);
    if (!opinion || !countsForAll(request, opinion)) return;
    if (isBetterFounded(opinion, this.study.tree.node(node).opinion)) this.study.change('opinion', { opinion }, node);
  }

  #announce(): void {
    if (this.opinion) this.#announcer.say(opinionText(this.opinion));
  }
}

function opinionOf({ lines, mover, othersLose, request }: Shown): Opinion | null {
  return ofPosition(lines, mover, othersLose && request?.exclude.length === 0);
}

/** With turns left out only a win says something of the position. */
function countsForAll(request: Request, opinion: Opinion): boolean {
  return request.exclude.length === 0 || opinion.certainty === 'proved';
}

export const letter = (index: number): string => String.fromCharCode(65 + index);

/** All stones of a turn have its letter; a cell of several turns that of the best. */
export function tagsOf(turns: readonly Turn[]): Tag[] {
  const tags = new Map<string, Tag>();
  turns.forEach((turn, index) => {
    for (const cell of turn) if (!tags.has(cell)) tags.set(cell, { cell, text: letter(index) });
  });
  return [...tags.values()];
}
