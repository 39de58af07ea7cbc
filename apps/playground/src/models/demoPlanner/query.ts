import { quotes } from './mention.ts'
import { concepts } from './tokenise.ts'

const polite =
  /^(?:please|can you|could you|would you|will you|i (?:want|need|would like|'d like)(?: you)?(?: to)?|help me(?: to)?|tell me(?: more)?|show me|let me know|and|so|ok|now)[\s,]+/i
const asking =
  /^(?:what|who|where|when|which|why|how)(?:'s)?\s+(?:(?:is|are|was|were|do|does|did|can|could|should|would|to|much|many|about)\s+)?(?:(?:i|you|we|one|the|a|an|there|it)\s+)?/i
const searching =
  /^(?:search|find|look up|look for|look|google|explain|describe|define|list|read|research)(?:\s+(?:me|for|about|up))*\s+/i

/** What to search for: the words of a request without the request itself. */
export function queryOf(text: string, known: ReadonlyMap<string, number>): string | undefined {
  const [quoted] = quotes(text)
  if (quoted) return quoted.value
  let rest = text.trim().replace(/(?<![\s?!.])[\s?!.]+$/, '')
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(polite, '')
  }
  const about = rest.match(
    /^(?:search|look|find|google|query|check|what)\b.*?\b(?:for|about|on|regarding)\s+(.+)$/i,
  )?.[1]
  const query = withoutPlace(about ?? rest.replace(searching, '').replace(asking, ''), known).trim()
  return /[\p{L}\p{N}]/u.test(query) ? query : undefined
}

/** "… in the docs" says where to search, not what for. */
function withoutPlace(text: string, known: ReadonlyMap<string, number>): string {
  const at = text.match(/^(.+?)\s+(?:in|from|within|of|on)\s+(?:the|this|your|our)\s+(\S+(?:\s+\S+){0,2})$/i)
  const place = concepts(at?.[2] ?? '')
  const isKnown = place.length > 0 && place.every((key) => (known.get(key) ?? 0) >= 1.5)
  return isKnown ? (at?.[1] ?? text) : text
}
