// Marks and arrows that people draw: a second click takes one away.

import type { MarkKind } from '../api/types';
import type { OpenStudy } from './study.svelte';

type Tool = MarkKind | 'stone' | 'arrow';

export function drawMark(study: OpenStudy, tool: Tool, cell: string): void {
  if (tool === 'stone' || tool === 'arrow') return;
  const { marks } = study.node;
  const there = marks.find((mark) => mark.cell === cell);
  const others = marks.filter((mark) => mark.cell !== cell);
  if (there?.kind === tool) study.change('mark', { marks: others });
  else study.change('mark', { marks: [...others, { cell, kind: tool, text: tool === 'label' ? nextLetter(study) : '' }] });
}

export function drawArrow(study: OpenStudy, from: string, to: string): void {
  const { arrows } = study.node;
  const others = arrows.filter((arrow) => arrow.from !== from || arrow.to !== to);
  study.change('mark', { arrows: others.length < arrows.length ? others : [...arrows, { from, to }] });
}

function nextLetter(study: OpenStudy): string {
  const used = new Set(study.node.marks.map((mark) => mark.text));
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  return letters.find((letter) => !used.has(letter)) ?? String(used.size + 1);
}
