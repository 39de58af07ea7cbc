import { estimateText } from './estimate.ts'

/** A text in so many tokens at most: its beginning, and of its end a little less, with a mark between. */
export function cutText(text: string, tokens: number): string {
  const all = estimateText(text)
  if (all <= tokens) return text
  let characters = Math.floor((text.length * Math.max(0, tokens - markTokens)) / all)
  for (;;) {
    const head = Math.floor(characters * 0.6)
    const tail = text.length - (characters - head)
    const cut = `${whole(text, 0, head)}\n[… about ${all - tokens} tokens omitted …]\n${whole(text, tail, text.length)}`
    if (estimateText(cut) <= tokens || characters === 0) return cut
    characters = Math.floor(characters * 0.8)
  }
}

const markTokens = 16

/** A text in parts of so many tokens at most, at the ends of lines where there are such. */
export function splitText(text: string, tokens: number): readonly string[] {
  if (estimateText(text) <= tokens) return [text]
  const middle = Math.floor(text.length / 2)
  if (middle === 0) return [text]
  const line = text.lastIndexOf('\n', middle)
  const at = line > middle / 2 ? line + 1 : middle
  return [...splitText(whole(text, 0, at), tokens), ...splitText(text.slice(whole(text, 0, at).length), tokens)]
}

/** Returns a part of a text without half characters at its ends. */
function whole(text: string, from: number, to: number): string {
  const start = isLow(text.charCodeAt(from)) ? from + 1 : from
  const end = to > start && to < text.length && isLow(text.charCodeAt(to)) ? to - 1 : to
  return text.slice(start, end)
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
