import type { KeyboardEvent, ReactNode } from 'react'
import { type Bucket, type TokenParts, tokenPartsOf, tokensOf } from './usageRowsOf.ts'
import { costWords, count, money } from './wording.ts'

export interface UsageBarsProps {
  readonly buckets: readonly Bucket[]
  readonly measure: 'tokens' | 'cost'
  readonly selected: number | undefined
  readonly onSelect: ((seq: number | undefined) => void) | undefined
}

const names: Readonly<Record<keyof TokenParts, string>> = {
  input: 'Input',
  cached: 'Cached input',
  output: 'Output',
  reasoning: 'Reasoning',
}
const kinds = Object.keys(names) as (keyof TokenParts)[]

/** A bar for each turn, stacked of what its tokens are. One stop of the Tab key; arrow keys walk along. */
export function UsageBars({ buckets, measure, selected, onSelect }: UsageBarsProps): ReactNode {
  const heightOf = ({ usage }: Bucket): number => (measure === 'cost' ? usage.cost : tokensOf(tokenPartsOf(usage)))
  const top = Math.max(...buckets.map(heightOf)) || 1
  const words = (value: number): string => (measure === 'cost' ? money(value) : count(Math.round(value)))
  const entry = Math.max(
    0,
    buckets.findIndex(({ seq }) => seq === selected),
  )

  return (
    <figure data-part="usage">
      <div data-part="plot">
        <div data-part="levels" aria-hidden="true">
          <span>{words(top)}</span>
          <span>{words(top / 2)}</span>
          <span>0</span>
        </div>
        <div role="listbox" aria-orientation="horizontal" aria-label="Usage by turn" data-part="bars" onKeyDown={walk}>
          {buckets.map((bucket, index) => (
            <div
              key={bucket.seq}
              role="option"
              aria-selected={bucket.seq === selected}
              aria-label={labelOf(bucket)}
              title={labelOf(bucket)}
              tabIndex={index === entry ? 0 : -1}
              onClick={() => onSelect?.(bucket.seq)}
              onKeyDown={(event) => press(event, { bucket, onSelect })}
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

/** Not in the style sheet: many pages make every svg as small as a letter. */
const whole = { flex: 1, width: '100%', height: 'auto', minHeight: 0 }

function Stack({ bucket, measure, top }: { bucket: Bucket; measure: 'tokens' | 'cost'; top: number }) {
  const parts = tokenPartsOf(bucket.usage)
  const heights = measure === 'cost' ? { output: bucket.usage.cost } : parts
  return (
    <svg aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none" style={whole}>
      {stacked(heights).map(({ kind, from, length }) => (
        <rect
          key={kind}
          data-tokens={measure === 'cost' ? 'cost' : kind}
          x="0"
          width="100"
          y={100 - ((from + length) / top) * 100}
          height={(length / top) * 100}
        />
      ))}
    </svg>
  )
}

function stacked(heights: Partial<TokenParts>) {
  let from = 0
  return kinds.flatMap((kind) => {
    const length = heights[kind] ?? 0
    from += length
    return length > 0 ? [{ kind, from: from - length, length }] : []
  })
}

function labelOf({ title, usage }: Bucket): string {
  const parts = tokenPartsOf(usage)
  const tokens = kinds.flatMap((kind) =>
    parts[kind] > 0 ? [`${names[kind].toLowerCase()} ${count(parts[kind])}`] : [],
  )
  return `${title}: ${tokens.join(', ') || 'no tokens'}, cost ${costWords(usage)}`
}

/** Where there is room: not under every one of many. */
function shortTitle({ title }: Bucket, { index, of }: { readonly index: number; readonly of: number }): string {
  const every = Math.ceil(of / 12)
  return index % every === 0 ? (/^Turn (\d+)/.exec(title)?.[1] ?? '·') : ''
}

type Press = Pick<UsageBarsProps, 'onSelect'> & { readonly bucket: Bucket }

/** As in the other lists: Enter or Space looks into it, Escape leaves it. */
function press(event: KeyboardEvent<HTMLElement>, { bucket, onSelect }: Press): void {
  const { key } = event
  if (key !== 'Enter' && key !== ' ' && key !== 'Escape') return
  event.preventDefault()
  onSelect?.(key === 'Escape' ? undefined : bucket.seq)
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event
  const ways: Readonly<Record<string, Element | null>> = {
    ArrowRight: (target as Element).nextElementSibling,
    ArrowLeft: (target as Element).previousElementSibling,
    Home: currentTarget.firstElementChild,
    End: currentTarget.lastElementChild,
  }
  const next = ways[key]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}
