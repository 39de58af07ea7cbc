import { expect, it } from 'vitest'
import { acceptedBy, contentOf, toAttachment } from './Attachment.ts'

it('carries a file as it is', async () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256)
  const { data, ...about } = await toAttachment(new File([bytes], 'picture.png', { type: 'image/png' }))

  expect(about).toEqual({ type: 'file', filename: 'picture.png', mediaType: 'image/png' })
  expect(data).toEqual({ type: 'data', data: Buffer.from(bytes).toString('base64') })
})

it('is a mere text without files, and may be files alone', async () => {
  const file = await toAttachment(new File(['x'], 'x.pdf', { type: 'application/pdf' }))

  expect(contentOf('Hello')).toBe('Hello')
  expect(contentOf('Read it', [file])).toEqual([{ type: 'text', text: 'Read it' }, file])
  expect(contentOf('', [file])).toEqual([file])
})

it('offers no files to rules', () => {
  expect(acceptedBy({ type: 'demo' })).toBeUndefined()
})
