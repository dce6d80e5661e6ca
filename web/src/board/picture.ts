// The board as a picture of its own: colours written out, nothing referred to outside.

const STYLED = ['fill', 'stroke', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'opacity', 'stroke-width'];

export function svgText(board: SVGSVGElement): string {
  const copy = board.cloneNode(true) as SVGSVGElement;
  const originals = [...board.querySelectorAll<SVGElement>('*')];
  [...copy.querySelectorAll<SVGElement>('*')].forEach((element, index) => {
    const style = getComputedStyle(originals[index]!);
    for (const property of STYLED) {
      const value = style.getPropertyValue(property);
      if (value !== '') element.setAttribute(property, value);
    }
    element.removeAttribute('class');
    element.removeAttribute('style');
  });
  const [, , width, height] = board.getAttribute('viewBox')!.split(' ');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width!);
  copy.setAttribute('height', height!);
  copy.setAttribute('font-family', 'sans-serif');
  for (const name of ['class', 'style', 'tabindex', 'role', 'aria-roledescription']) copy.removeAttribute(name);
  const definitions = document.querySelector('svg > defs')!.cloneNode(true) as SVGDefsElement;
  copy.prepend(definitions);
  const root = getComputedStyle(document.documentElement);
  const text = new XMLSerializer().serializeToString(copy);
  return text.replace(/var\((--[\w-]+)\)/g, (_, name: string) => root.getPropertyValue(name).trim());
}

export async function png(board: SVGSVGElement, scale = 2): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svgText(board)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width * scale, image.height * scale];
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
