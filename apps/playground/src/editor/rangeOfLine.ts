/** Returns the start and the end of a line in a text; lines count from 1. */
export function rangeOfLine(text: string, line: number): readonly [number, number] {
  const lines = text.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0)
  return [Math.min(start, text.length), Math.min(start + (lines[line - 1]?.length ?? 0), text.length)]
}
