/* Photos are shrunk in the page before they are sent: a camera's image costs many tokens, and more storage than the rest
   of a run. */
import { nextFrame } from '../frames.ts'

/** An image with more bytes or a longer side is shrunk. */
const most = { bytes: 2_000_000, side: 4_096 }
const quality = 0.85
const shrinkable: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp'])

/** Returns true for a file that `shrinkImage` may change. Where the platform cannot draw, there is none. */
export const isShrinkable = ({ type }: File): boolean =>
  shrinkable.has(type) && typeof OffscreenCanvas === 'function' && typeof createImageBitmap === 'function'

/**
 * Returns a photo in a size that is sufficient for a model, upright and under the same name. A photo that is small, that
 * moves or that cannot be decoded is returned as it is; the result is never larger than the file.
 */
export async function shrinkImage(file: File): Promise<File> {
  try {
    if (!isShrinkable(file) || (await isAnimated(file))) return file
    const image = await createImageBitmap(file, { imageOrientation: 'from-image' })
    try {
      const longest = Math.max(image.width, image.height)
      if ((file.size <= most.bytes && longest <= most.side) || !showsWhatIsDrawn()) return file
      await drawn()
      const blob = await encodeSmaller(image, file.type, Math.min(1, most.side / longest))
      if (blob.type !== file.type || blob.size >= file.size) return file
      return new File([blob], file.name, { type: blob.type, lastModified: file.lastModified })
    } finally {
      image.close()
    }
  } catch {
    return file
  }
}

/** Resolves when the page shows its present state: WebKit encodes where scripts run, and draws nothing meanwhile. */
const drawn = (): Promise<void> => new Promise((resolve) => void nextFrame(() => setTimeout(resolve)))

/** Encodes an image at a scale, and at smaller ones until it fits. */
async function encodeSmaller(image: ImageBitmap, type: string, scale: number, attempts = 6): Promise<Blob> {
  const blob = await draw(image, scale).convertToBlob({ type, quality })
  if (blob.size <= most.bytes || attempts === 1) return blob
  return encodeSmaller(image, type, scale * Math.min(0.9, Math.sqrt(most.bytes / blob.size)), attempts - 1)
}

function draw(image: ImageBitmap, scale: number): OffscreenCanvas {
  const canvas = new OffscreenCanvas(sideOf(image.width, scale), sideOf(image.height, scale))
  const context = contextOf(canvas)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

const sideOf = (length: number, scale: number): number => Math.max(1, Math.round(length * scale))

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This platform cannot draw.')
  return context
}

/** Returns false in a browser that returns noise in place of a drawn image, as protection from fingerprinting. */
function showsWhatIsDrawn(): boolean {
  const context = contextOf(new OffscreenCanvas(8, 8))
  context.fillStyle = 'rgb(40 120 200)'
  context.fillRect(0, 0, 8, 8)
  const { data } = context.getImageData(0, 0, 8, 8)
  return data.every((value, at) => Math.abs(value - ([40, 120, 200, 255][at % 4] ?? 0)) < 8)
}

/** Returns true for a PNG or WebP with several frames, of which a canvas would keep the first. */
async function isAnimated(file: File): Promise<boolean> {
  if (file.type === 'image/jpeg') return false
  const bytes = new Uint8Array(await file.slice(0, 100_000).arrayBuffer())
  const head = new TextDecoder('latin1').decode(bytes)
  // A WebP says so in the flags of its header, a PNG in a chunk before its pixels.
  if (file.type === 'image/webp') return head.startsWith('VP8X', 12) && ((bytes[20] ?? 0) & 2) !== 0
  return (head.split('IDAT')[0] ?? '').includes('acTL')
}
