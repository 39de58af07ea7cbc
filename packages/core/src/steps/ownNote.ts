import { claimNote } from '../claimNote.ts'
import { AgentError } from '../error.ts'
import { toJson } from '../json.ts'
import type { RunContext } from '../run.ts'

/** A step's memory of a run: one note in its log, so that it survives a reload. */
export interface OwnNote<T> {
  read(run: RunContext): T | undefined
  write(run: RunContext, value: T): void
}

/** Two steps that share a note would each take the other's work for done: a guard would let pass what it never saw. */
export function ownNote<T extends object>(key: string): OwnNote<T> {
  const owner = {}
  const claim = (run: RunContext): void => {
    if (!claimNote(run, key, owner)) throw taken(key)
  }
  return {
    read(run) {
      claim(run)
      return run.state.notes[key] as T | undefined
    },
    write(run, value) {
      claim(run)
      run.emit({ type: 'noted', key, value: toJson(value) })
    },
  }
}

const taken = (key: string): AgentError =>
  new AgentError('options_invalid', `Two steps keep the note "${key}". Give each a \`name\` of its own.`)
