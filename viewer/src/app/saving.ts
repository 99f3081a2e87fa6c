/** Pictures as files that the user keeps. */

/** As PNG. */
export async function pngOf(picture: ImageData): Promise<Blob> {
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext('2d')?.putImageData(picture, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}

/** A name without its ending, and without letters that folders do not like. */
export function fileStem(name: string | undefined): string {
  return (name ?? 'carom').replace(/\.h5$/, '').replace(/[^\w.-]+/g, '-') || 'carom';
}

/** The browser asks where to, or puts it where it puts files. */
export function saveFile(data: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
