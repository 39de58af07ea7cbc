import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { Facts, type PanelProps, Switch, Table } from './parts.tsx'
import {
  type Bucket,
  bucketsOf,
  roundUp,
  sumOf,
  type TokenParts,
  tokenPartsOf,
  tokensOf,
  type UsageRow,
  usageRowsOf,
} from './usageRowsOf.ts'
import { useRunLog } from './useRunLog.ts'
import { costWords, count, duration, money } from './wording.ts'

const mostBars = 40

/** Shows tokens and cost, in total and by turn, as bars or as a table. */
export function UsageChart({ run, selected, onSelect }: PanelProps): ReactNode {
  const { events } = useRunLog(run)
  const rows = useMemo(() => usageRowsOf(events), [events])
  const [view, setView] = useState('tokens')
  const total = useMemo(() => sumOf(rows.map(({ usage }) => usage)), [rows])
  const buckets = useMemo(() => bucketsOf(rows, mostBars), [rows])
  const isEstimated = rows.some((row) => row.isEstimated)
  const about = isEstimated ? '≈ ' : ''
  const selection = { selected, onSelect }

  return (
    <div data-interleave="devtools" data-part="panel" data-scrolls>
      <Facts
        facts={{
          'Tokens in': `${about}${count(total.inputTokens)}`,
          'From cache': `${about}${count(total.cachedInputTokens)}`,
          'Tokens out': `${about}${count(total.outputTokens)}`,
          Reasoning: `${about}${count(total.reasoningTokens)}`,
          Cost: costWords(total),
        }}
      />
      {isEstimated && <div data-part="note">≈ Estimated: the model reports no usage.</div>}
      <div data-part="bar">
        <p data-part="facts">{barWords(view, Math.max(0, ...buckets.map((bucket) => bucket.rows)))}</p>
        <Switch
          label="Usage as"
          options={{ tokens: 'Tokens', cost: 'Cost', table: 'Table' }}
          value={view}
          onChange={setView}
        />
      </div>
      {rows.length === 0 ? (
        <div data-part="empty">No model calls yet. Each turn becomes a bar here.</div>
      ) : view === 'table' ? (
        <Table
          label="Usage by turn"
          part="sideways"
          rows={rows}
          keyOf={({ seq }) => seq}
          words={1}
          cellsOf={cellsOf}
          {...selection}
        />
      ) : (
        <UsageBars buckets={buckets} measure={view === 'cost' ? 'cost' : 'tokens'} {...selection} />
      )}
    </div>
  )
}

/** Describes a bar: one turn, or several of a long run. */
const barWords = (view: string, perBar: number): string =>
  view === 'table' || perBar <= 1 ? 'By turn' : `A bar for each ${perBar} turns`

function cellsOf({ title, usage, ms, isEstimated }: UsageRow) {
  const about = isEstimated ? '≈ ' : ''
  return {
    Turn: title,
    In: `${about}${count(usage.inputTokens)}`,
    Cached: `${about}${count(usage.cachedInputTokens)}`,
    Out: `${about}${count(usage.outputTokens)}`,
    Reasoning: `${about}${count(usage.reasoningTokens)}`,
    Cost: costWords(usage),
    Took: ms === undefined ? '' : duration(ms),
  }
}

export interface UsageBarsProps extends Pick<PanelProps, 'selected' | 'onSelect'> {
  readonly buckets: readonly Bucket[]
  readonly measure: 'tokens' | 'cost'
}

const names: Readonly<Record<keyof TokenParts, string>> = {
  input: 'Input',
  cached: 'Cached input',
  output: 'Output',
  reasoning: 'Reasoning',
}
const kinds = Object.keys(names) as (keyof TokenParts)[]

/** Draws a bar for each turn, stacked by kind of token. One Tab stop; arrow keys move through it. */
export function UsageBars({ buckets, measure, selected, onSelect }: UsageBarsProps): ReactNode {
  const heightOf = ({ usage }: Bucket): number => (measure === 'cost' ? usage.cost : tokensOf(tokenPartsOf(usage)))
  // The level at half the height is at least one token.
  const least = measure === 'cost' ? 0 : 2
  const top = roundUp(Math.max(least, ...buckets.map(heightOf)) || 1)
  const levels = [top, top / 2].map((value) => (measure === 'cost' ? money(value) : count(Math.round(value))))
  const selectedIndex = buckets.findIndex(({ seq }) => seq === selected)

  return (
    <figure data-part="usage">
      <div data-part="plot">
        <div data-part="levels" aria-hidden="true">
          <span>{levels[0]}</span>
          <span>{levels[1]}</span>
          <span>0</span>
        </div>
        <div
          role="listbox"
          aria-orientation="horizontal"
          aria-label="Usage by turn"
          data-part="bars"
          onKeyDown={moveFocus}
        >
          {buckets.map((bucket, index) => (
            <div
              key={bucket.seq}
              role="option"
              aria-selected={index === selectedIndex}
              aria-label={labelOf(bucket)}
              title={labelOf(bucket)}
              tabIndex={index === Math.max(0, selectedIndex) ? 0 : -1}
              onClick={() => onSelect?.(bucket.seq)}
              onKeyDown={(event) => {
                const { key } = event
                if (key !== 'Enter' && key !== ' ' && key !== 'Escape') return
                event.preventDefault()
                onSelect?.(key === 'Escape' ? undefined : bucket.seq)
              }}
            >
              <Stack bucket={bucket} measure={measure} top={top} />
              <span data-part="label">{shortTitle(bucket, { index, of: buckets.length })}</span>
            </div>
          ))}
        </div>
      </div>
      {measure === 'tokens' && (
        <figcaption data-part="legend">
          {kinds.map((kind) => (
            <span key={kind} data-tokens={kind}>
              {names[kind]}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  )
}

/** Inline, since the style sheets of many pages shrink every svg to the size of a letter. */
const fill = { flex: 1, width: '100%', height: 'auto', minHeight: 0 }

function Stack({ bucket: { usage }, measure, top }: Pick<UsageBarsProps, 'measure'> & { bucket: Bucket; top: number }) {
  const parts = tokenPartsOf(usage)
  const lengths =
    measure === 'cost' ? [['cost', usage.cost] as const] : kinds.map((kind) => [kind, parts[kind]] as const)
  let y = 100
  return (
    <svg aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none" style={fill}>
      {lengths.map(([kind, length]) => {
        const height = (length / top) * 100
        y -= height
        return length > 0 && <rect key={kind} data-tokens={kind} x="0" width="100" y={y} height={height} />
      })}
    </svg>
  )
}

function labelOf({ title, usage }: Bucket): string {
  const parts = tokenPartsOf(usage)
  const tokens = kinds.flatMap((kind) =>
    parts[kind] > 0 ? [`${names[kind].toLowerCase()} ${count(parts[kind])}`] : [],
  )
  return `${title}: ${tokens.join(', ') || 'no tokens'}, cost ${costWords(usage)}`
}

/** Returns the label under a bar. If there are many bars, only some have room for one. */
function shortTitle({ title }: Bucket, { index, of }: { readonly index: number; readonly of: number }): string {
  return index % Math.ceil(of / 12) === 0 ? (/^Turn (\d+)/.exec(title)?.[1] ?? '·') : ''
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget, key } = event
  const target = event.target as Element
  const targets: Readonly<Record<string, Element | null>> = {
    ArrowRight: target.nextElementSibling,
    ArrowLeft: target.previousElementSibling,
    Home: currentTarget.firstElementChild,
    End: currentTarget.lastElementChild,
  }
  const next = targets[key]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}
