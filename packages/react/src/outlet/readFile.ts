import type { FieldSchema } from './FieldSchema.ts'

/** A file as the schema wants it: its text, or its bytes as base64 or as a `data:` address. */
export async function readFile(file: File, { contentEncoding, format }: FieldSchema): Promise<string> {
  const isAddress = format === 'data-url'
  if (!isAddress && contentEncoding !== 'base64' && format !== 'binary') return file.text()
  const base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
  return isAddress ? `data:${file.type || 'application/octet-stream'};base64,${base64}` : base64
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(binary)
}
