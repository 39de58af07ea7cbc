import { askToPersist, persistence } from '@interleave/core/indexeddb'
import type { PruneOptions } from '@interleave/core/journal'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { Dialog } from '../parts/Dialog.tsx'
import { bytes, counted } from '../parts/wording.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'

const queryKey = ['storage'] as const

/** Returns the used and free storage, and whether the browser may evict it. */
const useStorageFacts = () => useQuery({ queryKey, queryFn: persistence, staleTime: 0 })

/** Asks the browser to keep everything. The result is true if it agrees. */
function useAskToPersist() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: askToPersist,
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

/** Deletes old runs for good. The result is their number. */
function usePrune() {
  const { openStorage, forget, store } = usePlayground()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (options: PruneOptions) => {
      const [{ journal, records }, { prune }] = await Promise.all([openStorage(), import('@interleave/core/journal')])
      const ids = await prune(journal, options)
      await forget(ids)
      for (const id of ids) await records.delete(id)
      return ids.length
    },
    onSuccess: () => store.setState({ removed: undefined }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

/** The dialog about storage: whether it is safe from eviction, how full it is, and which runs to delete. */
export function StorageDialog() {
  const { showStorage } = usePlayground()
  const isOpen = usePage((page) => page.isStorageOpen)
  // The list that this belongs to is not displayed on a narrow page, and a dialog in it would not be either.
  return createPortal(
    <Dialog title="Storage" isOpen={isOpen} onClose={() => showStorage(false)}>
      <div className="storage">
        <Facts />
        <OldRuns />
      </div>
    </Dialog>,
    document.body,
  )
}

function Facts() {
  const { data } = useStorageFacts()
  const ask = useAskToPersist()
  if (!data) return <p className="thinking">Looking</p>
  const { persisted, usage, quota } = data
  return (
    <section>
      <p>
        Runs are kept in this browser, on this machine.
        {usage !== undefined && quota !== undefined && ` They take about ${bytes(usage)} of ${bytes(quota)}.`}
      </p>
      {persisted ? (
        <p>The browser keeps them until you delete them.</p>
      ) : (
        <>
          <p>The browser may delete them when the disk fills up, or after weeks without a visit.</p>
          <button type="button" className="button" disabled={ask.isPending} onClick={() => ask.mutate()}>
            Protect from eviction
          </button>
        </>
      )}
      <p role="status">{ask.data === false && 'The browser does not agree now. Export the runs that you need.'}</p>
    </section>
  )
}

const day = 24 * 3_600_000
const choices: readonly (readonly [string, PruneOptions])[] = [
  ['older than a month', { olderThan: 30 * day }],
  ['older than a week', { olderThan: 7 * day }],
  ['all but the newest 20', { keep: 20 }],
  ['all but the newest one', { keep: 1 }],
]

function OldRuns() {
  const prune = usePrune()
  const [chosen, setChosen] = useState('0')
  const [isSure, setSure] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const [, options] = choices[Number(chosen)] ?? []
    if (isSure && options) prune.mutate(options)
    setSure(!isSure)
  }
  return (
    <form className="old-runs" onSubmit={submit}>
      <label>
        Delete runs
        <select
          value={chosen}
          onChange={({ target }) => {
            setChosen(target.value)
            setSure(false)
          }}
        >
          {choices.map(([words], index) => (
            <option key={words} value={index}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="button" data-sure={isSure} disabled={prune.isPending}>
        {isSure ? 'Yes, delete them for good' : 'Delete…'}
      </button>
      <p role="status">
        {prune.error?.message ?? (prune.data !== undefined && `${counted(prune.data, 'run')} deleted.`)}
      </p>
    </form>
  )
}
