// Files dropped anywhere on an element.

import type { Attachment } from 'svelte/attachments';

export function dropzone(take: (files: FileList) => void): Attachment<HTMLElement> {
  return (element) => {
    const carries = (event: DragEvent) => event.dataTransfer?.types.includes('Files');
    const over = (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      element.dataset.drop = '';
    };
    const leave = (event: DragEvent) => {
      if (!element.contains(event.relatedTarget as Node | null)) delete element.dataset.drop;
    };
    const drop = (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      delete element.dataset.drop;
      take(event.dataTransfer!.files);
    };
    element.addEventListener('dragover', over);
    element.addEventListener('dragleave', leave);
    element.addEventListener('drop', drop);
    return () => {
      element.removeEventListener('dragover', over);
      element.removeEventListener('dragleave', leave);
      element.removeEventListener('drop', drop);
    };
  };
}
