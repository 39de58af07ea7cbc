import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import { FilePicker } from './FilePicker.tsx'
import { shrinkImage } from './shrinkImage.ts'
import { type Files, type UseFilesOptions, useFiles } from './useFiles.ts'

afterEach(cleanup)

type Draw = (context: OffscreenCanvasRenderingContext2D, canvas: OffscreenCanvas) => void

/** Paints noise, which no format compresses well, as a photo of a lawn. */
const lawn: Draw = (context, canvas) => {
  const tile = new OffscreenCanvas(1_200, 900)
  const ink = tile.getContext('2d') as OffscreenCanvasRenderingContext2D
  const pixels = new Uint8ClampedArray(1_200 * 900 * 4)
  let seed = 1
  for (let at = 0; at < pixels.length; at++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) | 0
    pixels[at] = at % 4 === 3 ? 255 : (seed >>> 16) & 255
  }
  ink.putImageData(new ImageData(pixels, 1_200), 0, 0)
  context.fillStyle = context.createPattern(tile, 'repeat') as CanvasPattern
  context.fillRect(0, 0, canvas.width, canvas.height)
}

async function picture(width: number, height: number, type: string, draw: Draw, quality = 1): Promise<File> {
  const canvas = new OffscreenCanvas(width, height)
  draw(canvas.getContext('2d') as OffscreenCanvasRenderingContext2D, canvas)
  return new File([await canvas.convertToBlob({ type, quality })], 'lawn in June', { type })
}

async function canEncode(type: string): Promise<boolean> {
  const canvas = new OffscreenCanvas(1, 1)
  canvas.getContext('2d')
  return (await canvas.convertToBlob({ type })).type === type
}

async function sizeOf(file: File): Promise<readonly [number, number]> {
  const { width, height } = await createImageBitmap(file)
  return [width, height]
}

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer())

/** Returns a JPEG whose pixels lie on their side: its EXIF says that a quarter turn is missing. */
async function turned(file: File): Promise<File> {
  const exif = [0xff, 0xe1, 0, 34, 69, 120, 105, 102, 0, 0, 77, 77, 0, 42, 0, 0, 0, 8, 0, 1]
  const orientation = [1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
  const bytes = await bytesOf(file)
  // After the header that the encoder writes, where Firefox looks for it too.
  const at = 4 + (bytes[5] ?? 0)
  const parts = [bytes.slice(0, at), new Uint8Array([...exif, ...orientation]), bytes.slice(at)]
  return new File(parts, file.name, { type: file.type })
}

const shown: { files?: Files } = {}
function Composer({ options }: { readonly options: UseFilesOptions }) {
  const files = useFiles(options)
  shown.files = files
  return <FilePicker files={files} />
}
const open = (options: UseFilesOptions = {}): Files => {
  render(<Composer options={options} />)
  return shown.files as Files
}

it.for([
  ['image/jpeg', 3_000, 2_250],
  ['image/png', 1_200, 900],
  ['image/webp', 1_200, 900],
] as const)('shrinks a large photo of the type %s', async ([type, width, height], { skip }) => {
  const photo = await picture(width, height, type, lawn)
  skip(!(await canEncode(type)), 'This browser cannot write that type.')
  expect(photo.size).toBeGreaterThan(2_000_000)

  const small = await shrinkImage(photo)

  const [wide, high] = await sizeOf(small)
  expect(small.size).toBeLessThanOrEqual(2_000_000)
  expect({ name: small.name, type: small.type }).toEqual({ name: 'lawn in June', type })
  expect(wide / high).toBeCloseTo(4 / 3, 1)
  expect(wide).toBeGreaterThan(400)
})

it('shrinks a photo of many pixels and few bytes, and keeps it upright', async () => {
  const landscape = await picture(6_000, 4_000, 'image/jpeg', (context) => {
    context.fillStyle = 'crimson'
    context.fillRect(0, 0, 3_000, 4_000)
  })

  const small = await shrinkImage(await turned(landscape))

  const image = await createImageBitmap(small, { imageOrientation: 'none' as ImageOrientation })
  const canvas = new OffscreenCanvas(image.width, image.height)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.drawImage(image, 0, 0)
  const [red = 0] = context.getImageData(image.width / 2, image.height / 4, 1, 1).data
  const [black = 255] = context.getImageData(image.width / 2, (image.height * 3) / 4, 1, 1).data
  expect([image.width, image.height]).toEqual([2_731, 4_096])
  expect([red > 180, black < 40]).toEqual([true, true])
})

it('keeps what is small, moves, is no photo, cannot be decoded, or would not become smaller', async () => {
  const small = await picture(800, 600, 'image/jpeg', lawn, 0.5)
  const png = await picture(5_000, 40, 'image/png', () => {})
  const bytes = await bytesOf(png)
  const moving = new File([bytes.slice(0, 33), 'acTL', bytes.slice(33)], 'moving.png', { type: 'image/png' })
  const header = 'RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00'
  const movingWebP = new File([header, new Uint8Array(3_000_000)], 'moving.webp', { type: 'image/webp' })
  const gif = new File([new Uint8Array(3_000_000)], 'cat.gif', { type: 'image/gif' })
  const svg = new File(['<svg/>'.repeat(500_000)], 'map.svg', { type: 'image/svg+xml' })
  const broken = new File([new Uint8Array(3_000_000)], 'broken.jpg', { type: 'image/jpeg' })

  for (const file of [small, moving, movingWebP, gif, svg, broken]) expect(await shrinkImage(file)).toBe(file)
  expect((await shrinkImage(png)).size).toBeLessThanOrEqual(png.size)
})

it('takes a photo that is too large for a message until it is shrunk, and sends it with the message', async () => {
  const photo = await picture(5_000, 3_750, 'image/jpeg', lawn)
  expect(photo.size).toBeGreaterThan(15_000_000)
  const said: unknown[] = []
  const files = open()

  const shows = showsOf('Preparing the files …')
  files.add([photo, new File(['Notes'], 'notes.txt', { type: 'text/plain' })])
  const isSent = await files.send('Look.', async (content) => void said.push(content))

  expect(isSent).toBe(true)
  expect(shows.some).toBe(true)
  expect(said).toMatchObject([
    [
      { type: 'text', text: 'Look.' },
      { type: 'file', filename: 'lawn in June', mediaType: 'image/jpeg' },
      { type: 'file', filename: 'notes.txt' },
    ],
  ])
  await vi.waitFor(() => expect(shown.files).toMatchObject({ files: [], isPreparing: false }))
})

/** Notes if the page shows a text, for however short a time. */
function showsOf(text: string): { some: boolean } {
  const seen = { some: false }
  const observer = new MutationObserver(() => {
    seen.some ||= document.body.textContent.includes(text)
  })
  observer.observe(document.body, { childList: true, characterData: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  return seen
}

it('sends nothing while a photo that was being shrunk does not fit', async () => {
  const photo = await picture(1_000, 750, 'image/jpeg', lawn, 0.8)
  const files = open({ maxBytes: 100_000 })

  files.add([photo])
  const isSent = await files.send('Look.', () => Promise.reject(new Error('This is not sent.')))

  expect(isSent).toBe(false)
  await expect.element(page.getByText(/was not added: it is larger than/)).toBeVisible()
})

it('leaves photos as they are if the app says so', async () => {
  const photo = await picture(2_000, 1_500, 'image/jpeg', lawn, 0.9)
  expect(photo.size).toBeGreaterThan(2_000_000)
  const files = open({ shrinksImages: false })

  files.add([photo])

  await expect.poll(() => shown.files?.files).toEqual([photo])
})
