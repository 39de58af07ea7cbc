import { byName, either, json, listOf, maybe, oneOf, type Shape, shapeOf, text } from './shape.ts'

/*
 * What a provider has to send, so that nothing stumbles that reads it. Stricter than what a log has to be: logs were written by
 * versions that knew less, and providers add to their parts.
 */

/** Characters of an id. Some servers put signatures of several kilobytes in there. */
const longestId = 65_536
/** Characters of a tool's name. */
const longestName = 1_024

const upTo =
  (most: number): Shape =>
  (value) =>
    typeof value === 'string' && value.length <= most ? undefined : ''

export const id: Shape = upTo(longestId)
export const toolName: Shape = upTo(longestName)
const words = maybe(either(text, oneOf(null)))
const file = shapeOf({ mediaType: text, data: json })
const ofCall = { toolCallId: id, toolName }

/** A part that is kept as it came. */
export const part: Shape = byName('type', {
  file,
  'reasoning-file': file,
  custom: shapeOf({ kind: words }),
  source: shapeOf({ id: words, url: words, title: words, mediaType: words, filename: words }),
  'tool-call': shapeOf({ ...ofCall, input: text }),
  'tool-result': shapeOf(ofCall),
  'tool-approval-request': shapeOf({ approvalId: id, toolCallId: id }),
})
export const finish: Shape = shapeOf({ unified: text })
export const warnings: Shape = listOf(json)
