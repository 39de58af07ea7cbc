import { Fragment, useEffect, useId, useMemo, useRef } from 'react'
import { type ParsedLine, parse } from 'sugar-high/core'
import * as typescript from 'sugar-high/lang/typescript'
import type { LitLine } from './litLines.ts'
import type { Project } from './project.ts'

interface CodeFilesProps {
  readonly project: Project
  /** The program before the last choice: the lines that differ are marked. */
  readonly earlier: Project
  readonly lit: readonly LitLine[]
}

/** The files of a program, one below the other. It scrolls to the line that works now. */
export function CodeFiles({ project, earlier, lit }: CodeFilesProps) {
  const scroller = useRef<HTMLElement>(null)
  const [first] = lit
  const place = first && `${first.path} ${first.line}`
  useEffect(() => {
    if (place !== undefined) scrollToLine(scroller.current)
  }, [place])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section ref={scroller} className="code-files" aria-label="The program of this agent" tabIndex={0}>
      {project.shown.map((path) => (
        <CodeFile
          key={path}
          path={path}
          text={project.files.get(path) ?? ''}
          before={earlier.files.get(path)}
          lit={lit.filter((line) => line.path === path)}
        />
      ))}
      <p className="code-rest">
        The project also has {project.files.size - project.shown.length} other files, such as <code>src/model.ts</code>{' '}
        and a test.
      </p>
    </section>
  )
}

interface CodeFileProps {
  readonly path: string
  readonly text: string
  readonly before: string | undefined
  readonly lit: readonly LitLine[]
}

function CodeFile({ path, text, before, lit }: CodeFileProps) {
  const id = useId()
  const lines = useMemo(() => parse(text.trimEnd(), typescript).lines, [text])
  const same = useMemo(() => new Set(before?.split('\n')), [before])
  return (
    <article aria-labelledby={id} className="code-file">
      <h3 id={id}>
        {path} {before === undefined && <span className="badge">new</span>}
      </h3>
      <pre>
        {lines.map((line, index) => (
          <CodeLine
            key={index}
            line={line}
            isChanged={before !== undefined && !same.has(line.value)}
            activity={lit.find((one) => one.line === index)?.activity.type}
          />
        ))}
      </pre>
    </article>
  )
}

interface CodeLineProps {
  readonly line: ParsedLine
  readonly isChanged: boolean
  readonly activity: string | undefined
}

const CodeLine = ({ line, isChanged, activity }: CodeLineProps) => (
  <span
    className="code-line"
    data-changed={isChanged || undefined}
    data-lit={activity}
    aria-current={activity === undefined ? undefined : 'step'}
  >
    {line.tokens.map(({ type, value }, index) =>
      type === 'space' || type === 'break' || type === 'identifier' ? (
        <Fragment key={index}>{value}</Fragment>
      ) : (
        <span key={index} data-token={type}>
          {value}
        </span>
      ),
    )}
    {'\n'}
  </span>
)

/** Scrolls only the files, and only as far as needed to see the line and some around it. */
function scrollToLine(scroller: HTMLElement | null): void {
  const line = scroller?.querySelector('[data-lit]')
  if (!scroller || !line) return
  const [inside, outside] = [line.getBoundingClientRect(), scroller.getBoundingClientRect()]
  const margin = Math.min(80, outside.height / 4)
  if (inside.top >= outside.top + margin && inside.bottom <= outside.bottom - margin) return
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  scroller.scrollBy({ top: inside.top - outside.top - outside.height / 3, behavior: isStill ? 'instant' : 'smooth' })
}
