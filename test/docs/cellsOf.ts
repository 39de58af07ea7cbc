/** A block of code, and what it prints. */
export interface Cell {
  readonly code: string
  readonly output: string
}

/** The code of a page that reads as a notebook: each `ts` block, with the `text` block below it, if there is one. */
export function cellsOf(page: string): readonly Cell[] {
  const cells: Cell[] = []
  for (const [, language, block = ''] of page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)) {
    if (language === 'ts') cells.push({ code: block, output: '' })
    else if (language === 'text') cells.push({ code: cells.pop()?.code ?? '', output: block.trim() })
  }
  return cells
}
