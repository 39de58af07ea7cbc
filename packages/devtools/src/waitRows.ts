import type { Event } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'
import type { RowState, TimelineRow } from './timelineRow.ts'

/** One row for each question, from when it was asked until it was answered or not needed any more. */
export function waitRows(events: readonly Event[]): readonly TimelineRow[] {
  const open = new Map<string, EventOf<'asked'>>()
  const rows: TimelineRow[] = []
  const close = (ids: Iterable<string>, at: number, state: RowState): void => {
    for (const id of [...ids]) {
      const asked = open.get(id)
      if (asked && open.delete(id)) rows.push(toRow(asked, { state, end: Math.max(asked.at, at) }))
    }
  }
  const idsOf = (fits: (asked: EventOf<'asked'>) => boolean): string[] =>
    [...open].filter(([, asked]) => fits(asked)).map(([id]) => id)

  for (const event of events) {
    switch (event.type) {
      case 'asked':
        close([event.ask.id], event.at, 'stopped')
        open.set(event.ask.id, event)
        break
      case 'replied':
        close([event.ask], event.at, isNo(event) ? 'denied' : 'done')
        break
      case 'withdrawn':
        close([event.ask], event.at, 'stopped')
        break
      case 'observed':
        close(
          idsOf(({ ask }) => ask.call === event.call),
          event.at,
          'stopped',
        )
        break
      case 'rested':
        if (event.signal.type === 'stopped') close(open.keys(), event.at, 'stopped')
        break
    }
  }
  return [...rows, ...[...open.values()].map((asked) => toRow(asked, { state: 'waiting', end: undefined }))]
}

const isNo = ({ value }: EventOf<'replied'>): boolean =>
  typeof value === 'object' && value !== null && 'approved' in value && value.approved === false

const toRow = ({ seq, at, ask }: EventOf<'asked'>, rest: Pick<TimelineRow, 'state' | 'end'>): TimelineRow => ({
  id: `ask ${seq}`,
  kind: 'wait',
  title: ask.prompt,
  seq,
  start: at,
  ...rest,
  depth: ask.call === undefined ? 0 : 1,
})
