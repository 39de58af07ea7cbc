/** A part of a document that is under one heading. */
export interface Section {
  /** The file and the heading, as in `docs/architecture.md#one-log`. */
  readonly id: string
  readonly title: string
  readonly body: string
}

const heading = /^#{1,4}\s+(\S.*)$/
const fence = /^\s*(```|~~~)/

/** The sections of a Markdown file. A heading inside a code block is code. */
export function markdownSections(file: string, markdown: string): readonly Section[] {
  const sections: { title: string; lines: string[] }[] = []
  let inCode = false
  for (const line of markdown.split('\n')) {
    if (fence.test(line)) inCode = !inCode
    const title = inCode
      ? undefined
      : heading
          .exec(line)?.[1]
          ?.replace(/(?<!#)#+$/, '')
          .trim()
    if (title) sections.push({ title, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections
    .map(({ title, lines }) => ({ id: `${file}#${slug(title)}`, title, body: lines.join('\n').trim() }))
    .filter(({ body }) => body !== '')
}

const docstring =
  /\/\*\*((?:(?!\/\*\*|\*\/)[\s\S])*)\*\/\s+export (?:async )?(?:const|function|interface|type|class) (\w+)/g

/** Returns the doc comments of a source file's exports. */
export function sourceSections(file: string, source: string): readonly Section[] {
  return [...source.matchAll(docstring)].map(([, comment = '', name = '']) => ({
    id: `${file}#${slug(name)}`,
    title: name,
    body: comment
      .split('\n')
      .map((line) => line.replace(/^\s*\*? ?/, ''))
      .join('\n')
      .replace(/^@\w[\s\S]*/m, '')
      .trim(),
  }))
}

const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
