import type { Ask, Json } from '@interleave/core'
import { isRecord } from '../parts/isRecord.ts'

/** A reply as a person would say it. */
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
      return approvalWords(reply)
    case 'extension':
      return isRecord(reply) && 'extend' in reply ? `Go on, ${String(reply.extend)} more` : 'End here'
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

function approvalWords(reply: Json): string {
  if (!isRecord(reply)) return String(reply)
  if (reply.approved === true)
    return `${reply.input === undefined ? 'Approved' : 'Approved with changes'}${alwaysWords(reply)}`
  return reply.reason ? `Refused: ${String(reply.reason)}` : 'Refused'
}

/** Returns the permission for later calls, in words. */
function alwaysWords({ always, forGood }: { readonly [key: string]: Json | undefined }): string {
  const howLong = forGood === true ? 'for good' : 'always'
  if (always === 'tool') return `, ${howLong} for this tool`
  return always === 'input' ? `, ${howLong} for the same input` : ''
}

/** Describes a long value, such as a file, by its size. */
function formWords(reply: Json): string {
  if (!isRecord(reply)) return String(reply)
  return Object.entries(reply)
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === 'string' && isLong(value) ? `${value.length} characters` : String(value)}`,
    )
    .join(', ')
}

const isLong = (text: string): boolean => text.length > 80 || text.trim().includes('\n')
