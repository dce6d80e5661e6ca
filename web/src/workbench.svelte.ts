// What the parts of the page share: the open study, what panels want drawn on the board, and short messages.

import { api, ApiFailure } from './api/client';
import type { Opinion } from './api/types';
import type { Ghost, Tag } from './board/marks';
import { t } from './i18n';
import { router } from './route.svelte';
import { keep, kept } from './storage';
import { OpenStudy } from './study/study.svelte';

export interface Message {
  text: string;
  /** What can be done about it. */
  action?: { text: string; run: () => void };
}

const MESSAGE_SECONDS = 10;

/** Something that belongs to one position: shown while that position is on the board. */
interface Of<T> {
  position: string;
  value: T;
}

class Workbench {
  study = $state.raw<OpenStudy | null>(null);
  message = $state.raw<Message | null>(null);
  /** For screen readers: verdicts and placed stones. */
  announcement = $state('');

  /** What the tool of the tree panel draws; stones without. */
  tool = $state<'stone' | 'label' | 'square' | 'triangle' | 'cross' | 'circle' | 'arrow'>('stone');
  tab = $state<'tree' | 'analysis' | 'play' | 'proof'>('tree');
  /** The engine is wanted on: it follows the position. */
  engineOn = $state(kept<boolean>('engine') ?? false);

  tags = $state.raw<Of<Tag[]>>({ position: '', value: [] });
  ghosts = $state.raw<Ghost[]>([]);
  zones = $state.raw<Of<string[][]>>({ position: '', value: [] });
  opinion = $state.raw<Of<Opinion | null>>({ position: '', value: null });

  /** Places a stone on the board that is shown, as a click does; nothing where there is none to place on. */
  place = $state.raw<((cell: string) => void) | null>(null);

  /** What a key asks panels to do. */
  request = $state.raw<{ what: 'prove' | 'challenge'; number: number }>({ what: 'prove', number: 0 });

  #clear: ReturnType<typeof setTimeout> | undefined;

  /** The study that is wanted: a slower answer for another one is not shown. */
  #wanted = 0;

  async open(id: number): Promise<void> {
    this.#wanted = id;
    if (this.study?.study.id === id) return;
    const study = await OpenStudy.open(id);
    if (this.#wanted === id && this.study?.study.id !== id) this.#show(study);
    else study.close();
  }

  /** The study of last time, or a new one: there is always a board to play on. */
  async openAny(): Promise<void> {
    const last = kept<number>('study');
    const studies = await api.studies();
    const known = studies.find((study) => study.id === last) ?? studies[0];
    if (known) router.replace('study', known.id);
    else await this.create({});
  }

  async create(what: Parameters<typeof api.newStudy>[0], how: 'go' | 'replace' = 'go'): Promise<void> {
    await this.try(async () => {
      const document = await api.newStudy({ title: t('library.untitled'), ...what });
      this.#wanted = document.study.id;
      this.#show(new OpenStudy(document));
      router[how]('study', document.study.id);
    });
  }

  #show(study: OpenStudy): void {
    this.study?.close();
    this.study = study;
    keep('study', study.study.id);
  }

  ask(what: 'prove' | 'challenge'): void {
    this.request = { what, number: this.request.number + 1 };
  }

  say(text: string, action?: Message['action']): void {
    clearTimeout(this.#clear);
    this.message = action ? { text, action } : { text };
    this.#clear = setTimeout(() => (this.message = null), MESSAGE_SECONDS * 1_000);
  }

  hush(): void {
    this.message = null;
  }

  /** Does something that may fail; says so in words. */
  async try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      this.say(error.message);
      return undefined;
    }
  }
}

export const workbench = new Workbench();
