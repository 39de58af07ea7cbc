import type { ApprovalReply, Ask, Json } from '@interleave/core'
import { isDeclined, isObject, sameJson } from '@interleave/core/internal'
import { type FieldSchema, plainSchema } from '../outlet/fieldSchema.ts'
import { nameOf } from '../outlet/ValueView.tsx'
import { plainJson } from '../untrusted/segmentsOf.ts'
import type { Say } from '../words/words.tsx'

/** Returns a reply as the user chose it. An edited approval names what was changed. */
export function replyIn(say: Say, ask: Ask, reply: Json): string {
  if (ask.declinable && isDeclined(reply)) return say('declined')
  switch (ask.kind) {
    case 'confirm':
      return reply === true ? ask.yes : ask.no
    case 'approval':
      return approvalIn(say, ask, reply as ApprovalReply)
    case 'form':
      return isObject(reply) ? membersIn(say, reply as Members, plainSchema(ask.schema)) : plainWords(say, reply)
    case 'link':
      return say('done')
    case 'extension':
      return isObject(reply) && 'extend' in reply ? say('continue') : say('finishNow')
    default: {
      const labelOf = (value: Json): string =>
        ('options' in ask && ask.options.find((option) => option.value === value)?.label) || plainWords(say, value)
      return Array.isArray(reply) ? reply.map(labelOf).join(', ') : labelOf(reply)
    }
  }
}

type Members = Readonly<Record<string, Json>>

function approvalIn(
  say: Say,
  { input: before, schema }: Extract<Ask, { kind: 'approval' }>,
  reply: ApprovalReply,
): string {
  if (!reply.approved) return say('refused')
  const { input } = reply
  if (input === undefined || sameJson(input, before)) return say('approved')
  if (!isObject(input) || !isObject(before)) return say('approvedWith', { changes: plainWords(say, input) })
  const [was, is] = [before as Members, input as Members]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => !sameJson(was[name] ?? null, is[name] ?? null),
  )
  const plain = plainSchema(schema)
  const changes = names.map((name) =>
    say('changedMember', {
      name: nameOf(plain, name),
      before: plainWords(say, was[name] ?? null),
      after: plainWords(say, is[name] ?? null),
    }),
  )
  return say('approvedWith', { changes: changes.join(', ') })
}

const membersIn = (say: Say, members: Members, schema: FieldSchema): string =>
  Object.entries(members)
    .map(([name, value]) => say('member', { name: nameOf(schema, name), value: plainWords(say, value) }))
    .join(', ')

function plainWords(say: Say, value: Json): string {
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  if (value === null || value === '') return say('nothing')
  return typeof value === 'string' ? value : plainJson(value)
}
