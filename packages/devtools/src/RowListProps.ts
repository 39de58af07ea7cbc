import type { KeyboardEvent, ReactNode, RefObject } from 'react'

export interface RowListProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  /** In pixels. */
  readonly rowHeight: number
  keyOf(row: Row): string
  readonly selected?: string | undefined
  onSelect(row: Row): void
  /** Renders a row. */
  draw(row: Row): Drawn
  readonly more?: RowListMore<Row>
}

export interface RowListMore<Row> {
  /** A tree has rows of several levels. */
  readonly role?: 'listbox' | 'tree'
  /** Stands above the rows and scrolls sideways with them. */
  readonly head?: ReactNode
  /** In pixels. */
  readonly headHeight?: number
  /** Stays at the end while rows come, if it is there. */
  readonly followsEnd?: boolean
  readonly scroller?: RefObject<HTMLDivElement | null>
  /** Does something else with a key. Gives whether it did, or the row to go to. */
  onKey?(event: KeyboardEvent<HTMLElement>, row: Row, index: number): boolean | number
}

export interface Drawn {
  /** Its words are the name of the row. */
  readonly content: ReactNode
  readonly attributes?: Attributes
}
export type Attributes = Readonly<Record<`data-${string}` | `aria-${string}`, string | number | boolean | undefined>>
