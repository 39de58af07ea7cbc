import type { Ask, Json } from '@interleave/core'
import { sameJson } from '@interleave/core/internal'
import { isRecord, own } from '../parts/objects.ts'

/** A reply in words. */
export function replyWords(ask: Ask, reply: Json): string {
  if (ask.declinable && isRecord(reply) && typeof reply.$reply === 'string')
    return reply.$reply === 'declined' ? 'Declined' : 'Cancelled'
  switch (ask.kind) {
    case 'choice':
      return labelOf(ask.options, reply)
    case 'choices':
      return Array.isArray(reply) ? reply.map((value) => labelOf(ask.options, value)).join(', ') : String(reply)
    case 'confirm':
      return reply === true ? ask.yes : ask.no
    case 'approval':
      return approvalWords(ask.input, reply)
    case 'extension':
      return isRecord(reply) && 'extend' in reply ? `Continue, ${String(reply.extend)} more` : 'End here'
    case 'form':
      return formWords(reply)
    case 'link':
      return 'Done'
    case 'text':
      return String(reply)
  }
}

const labelOf = (options: readonly { value: string; label: string }[], reply: Json): string =>
  options.find(({ value }) => value === reply)?.label ?? String(reply)

function approvalWords(asked: Json, reply: Json): string {
  if (!isRecord(reply)) return String(reply)
  if (reply.approved === true) return `Approved${changeWords(asked, reply.input)}${rememberedWords(reply)}`
  return reply.reason ? `Refused: ${String(reply.reason)}` : 'Refused'
}

/** Returns the fields of an input that the user changed, in words. */
function changeWords(asked: Json, input: Json | undefined): string {
  if (input === undefined) return ''
  if (!isRecord(asked) || !isRecord(input)) return ' with changes'
  const changed = Object.entries(input).filter(([name, value]) => !sameJson(value, own(asked, name)))
  return ` with ${changed.map(([name, value]) => fieldWords(name, value)).join(', ') || 'changes'}`
}

/** Returns the permission for later calls, in words. */
function rememberedWords({ remember, persistent }: { readonly [key: string]: Json | undefined }): string {
  const howLong = persistent === true ? 'for good' : 'always'
  if (remember === 'tool') return `, ${howLong} for this tool`
  return remember === 'input' ? `, ${howLong} for the same input` : ''
}

const formWords = (reply: Json): string =>
  isRecord(reply)
    ? Object.entries(reply)
        .map(([name, value]) => fieldWords(name, value))
        .join(', ')
    : String(reply)

/** Describes a long value, such as a file, by its size. */
function fieldWords(name: string, value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return `${name}: ${isLong(text) ? `${text.length} characters` : text}`
}

const isLong = (text: string): boolean => text.length > 80 || text.trim().includes('\n')
