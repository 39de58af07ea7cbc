import { readFileSync } from 'node:fs'
import path from 'node:path'
import { renderMermaidSVG } from 'beautiful-mermaid'
import type { MarkdownRenderer } from 'vitepress'

/**
 * Renders what pages write for GitHub as the site shows it: diagrams, tables, links to sources, and live examples.
 *
 * @param sources The address of the repository's files. Without it, links to sources become text.
 */
export const renderPages =
  (sources: string | undefined) =>
  (md: MarkdownRenderer): void => {
    drawDiagrams(md)
    emptyHeads(md)
    stackTables(md)
    linkToSources(md, sources)
    showExamples(md)
  }

/** A block of mermaid becomes a picture when the site is built, in the colors of the page. */
function drawDiagrams(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index]
    if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, options, env, self) ?? ''
    const svg = renderMermaidSVG(token.content, { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', padding: 8 })
    const width = Number(/ width="([\d.]+)"/.exec(svg)?.[1])
    // Vue drops style elements of a page: the theme has these rules. On a narrow screen the picture scrolls.
    const drawn = svg.replace(/<style>[\s\S]*?<\/style>/, '').replace(/ style="[^"]*"/, '')
    return `<div class="diagram" tabindex="0" role="group" aria-label="Diagram" v-pre>${drawn.replace(
      '<svg ',
      `<svg role="img" aria-label="${altOf(token.content)}" style="min-width: ${Math.round(width * 0.78)}px" `,
    )}</div>\n`
  }
}

/** A table without headings has empty cells in their row. They are cells, not headings. */
function emptyHeads(md: MarkdownRenderer): void {
  md.core.ruler.push('emptyHeads', ({ tokens }) => {
    for (const [index, { type, content }] of tokens.entries()) {
      const [open, close] = [tokens[index - 1], tokens[index + 1]]
      if (type === 'inline' && content === '' && open?.type === 'th_open' && close) open.tag = close.tag = 'td'
    }
  })
}

/** The roles of the parts of a table for screen readers, also where the theme shows their rows as blocks. */
const roles: Readonly<Record<string, string>> = {
  table: 'table',
  thead: 'rowgroup',
  tbody: 'rowgroup',
  tr: 'row',
  th: 'columnheader',
  td: 'cell',
}

/**
 * A table of words that is too wide for a phone stacks the cells of a row there: the theme does it by the class, and
 * shows the heading of a column with each of its cells. Tables of numbers scroll.
 */
function stackTables(md: MarkdownRenderer): void {
  md.core.ruler.push('stackTables', ({ tokens }) => {
    for (const [start, open] of tokens.entries()) {
      if (open.type !== 'table_open') continue
      const end = tokens.findIndex(({ type }, index) => index > start && type === 'table_close')
      const parts = tokens.slice(start, end)
      const cells = parts.flatMap((token, index) =>
        /^t[hd]_open$/.test(token.type) ? [{ token, text: textOf(parts[index + 1]) }] : [],
      )
      const count = cells.filter(({ token }) => token.type === 'th_open').length
      const widths = Array.from({ length: count }, (_, column) =>
        Math.max(...cells.filter((_, index) => index % count === column).map(({ text }) => text.length)),
      )
      const hasNumbers = cells.some(({ token }) => token.attrGet('style')?.includes('right'))
      if (hasNumbers || widths.reduce((sum, width) => sum + width, 0) <= widestOnPhones) continue
      open.attrJoin('class', 'stacked')
      for (const part of parts) if (part.nesting === 1 && roles[part.tag]) part.attrSet('role', roles[part.tag] ?? '')
      if (count < 3) continue
      for (const [index, { token }] of cells.entries()) {
        const label = cells[index % count]?.text
        if (index >= count && index % count > 0 && label) token.attrSet('data-label', label)
      }
    }
  })
}

/** How many letters of a row fit on a phone. */
const widestOnPhones = 34

/** The text of an inline token, without marks. */
const textOf = (token: { children: { content: string }[] | null } | undefined): string =>
  (token?.children ?? []).map(({ content }) => content).join('')

/** The arrows of a diagram in words. */
const altOf = (code: string): string =>
  [...code.matchAll(/^\s*(\w+).*? -- "?([^"\n]*?)"? --> (\w+)/gm)]
    .map(([, from, label, to]) => `${from} to ${to}: ${label}`)
    .join('; ')

const outside = /^(?:\.\.\/)+((?:packages|test|test-kit|apps|bench|scripts)\/.*|[A-Z]+\.md.*)$/

/** Links out of docs/ work on GitHub as they are. On the site they lead to GitHub. */
function linkToSources(md: MarkdownRenderer, sources: string | undefined): void {
  md.core.ruler.push('sources', ({ tokens }) => {
    for (const { children } of tokens) {
      let isOutside = false
      for (const token of children ?? []) {
        const [, file] = (token.type === 'link_open' && outside.exec(token.attrGet('href') ?? '')) || []
        if (file && sources) token.attrSet('href', `${sources}/${file}`)
        if (sources) continue
        if (file) isOutside = true
        if (isOutside && /^link_/.test(token.type)) token.tag = 'span'
        if (isOutside && token.type === 'link_open') token.attrs = []
        if (token.type === 'link_close') isOutside = false
      }
    }
  })
}

/** A paragraph that is a link to a file of docs/live becomes the program and its code. On GitHub it is the link. */
function showExamples(md: MarkdownRenderer): void {
  md.core.ruler.before('inline', 'examples', (state) => {
    state.tokens = state.tokens.flatMap((token, index, all) => {
      const [, title = '', name] = /^\[([^\]]+)\]\((?:\.\.\/|\.\/)?live\/(\w+)\.tsx\)$/.exec(token.content) ?? []
      if (token.type !== 'inline' || !name) return isAround(all, index) ? [] : [token]
      const live = new state.Token('html_block', '', 0)
      live.content = `<Live of="${name}" title="${md.utils.escapeHtml(title)}" />\n`
      const code = new state.Token('fence', 'code', 0)
      code.info = 'tsx'
      code.content = codeOf(name)
      code.map = token.map
      return [live, code]
    })
  })
}

const example = /^\[[^\]]+\]\((?:\.\.\/|\.\/)?live\/\w+\.tsx\)$/

/** The tags of the paragraph around an example. */
const isAround = (all: readonly { type: string; content: string }[], index: number): boolean =>
  (all[index]?.type === 'paragraph_open' && example.test(all[index + 1]?.content ?? '')) ||
  (all[index]?.type === 'paragraph_close' && example.test(all[index - 1]?.content ?? ''))

const codeOf = (name: string): string => readFileSync(path.join(import.meta.dirname, `../live/${name}.tsx`), 'utf8')
