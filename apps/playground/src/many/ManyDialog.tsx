import { FolderOpen, Play, Square } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { useStore } from 'zustand'
import { AgentOptions } from '../parts/AgentOptions.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { useFileDrop } from '../parts/useFileDrop.ts'
import { counted } from '../parts/wording.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { ManyResults } from './ManyResults.tsx'
import { many, readDataSet, type ScorerName, startMany, stopMany } from './manyRuns.ts'
import './many.css'

/** Runs an agent over a data set, and shows how often it passes. */
export function ManyDialog({ onClose }: { onClose: () => void }) {
  const playground = usePlayground()
  const { isWorking, problem, results, evaluation, dataSet, runs } = useStore(many)
  const total = dataSet.cases.length * runs
  return (
    <Dialog title="Many runs" isOpen isWide onClose={onClose}>
      <div className="many">
        <DataSetField />
        <Choices />
        <div className="many-actions">
          <p role="status">{isWorking ? `${results.length} of ${counted(total, 'run')}` : evaluation ? 'Done' : ''}</p>
          {isWorking ? (
            <button type="button" className="button" onClick={stopMany}>
              <Square aria-hidden /> Stop
            </button>
          ) : (
            <button type="button" className="button primary" onClick={() => void startMany(playground)}>
              <Play aria-hidden /> Start {counted(total, 'run')}
            </button>
          )}
        </div>
        {problem && (
          <p role="alert" className="many-problem">
            {problem}
          </p>
        )}
        <ManyResults onOpen={onClose} />
      </div>
    </Dialog>
  )
}

/** The data set: the sample, or a file that is dropped or picked. */
function DataSetField() {
  const { dataSet, isWorking } = useStore(many)
  const picker = useRef<HTMLInputElement>(null)
  const drop = useFileDrop((file) => {
    if (!isWorking) void readDataSet(file)
  })
  const pick = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0]
    if (file) void readDataSet(file)
    // The same file may be picked again.
    target.value = ''
  }
  return (
    <div className="many-data" {...drop}>
      <p>
        <strong>{dataSet.name}</strong> · {counted(dataSet.cases.length, 'case')}
        <small>
          Drop a CSV or JSONL file here. It needs <code>input</code>, and <code>expected</code> to compare with.
        </small>
      </p>
      <input
        ref={picker}
        type="file"
        accept=".csv,.jsonl,.ndjson,text/csv"
        hidden
        aria-label="Data set"
        onChange={pick}
      />
      <button type="button" className="button" disabled={isWorking} onClick={() => picker.current?.click()}>
        <FolderOpen aria-hidden /> Choose file…
      </button>
    </div>
  )
}

const scorers: Readonly<Record<ScorerName, string>> = {
  contains: 'Answer contains expected',
  exact: 'Answer is expected',
  json: 'Same JSON',
  judge: 'Judged by the model',
}

/** The agent, the scorer, and how often. */
function Choices() {
  const { offerId, scorer, runs, isWorking } = useStore(many)
  const isDemo = usePage(({ connection }) => connection.type === 'demo')
  return (
    <div className="many-choices">
      <label>
        Agent
        <select
          value={offerId}
          disabled={isWorking}
          onChange={({ target }) => many.setState({ offerId: target.value })}
        >
          <AgentOptions />
        </select>
      </label>
      <label>
        Passes if
        <select
          value={scorer}
          disabled={isWorking}
          onChange={({ target }) => many.setState({ scorer: target.value as ScorerName })}
        >
          {Object.entries(scorers).map(([name, title]) => (
            <option key={name} value={name} disabled={name === 'judge' && isDemo}>
              {title}
              {name === 'judge' && isDemo ? ' (needs a model)' : ''}
            </option>
          ))}
        </select>
      </label>
      <label>
        Runs of each
        <select
          value={runs}
          disabled={isWorking}
          onChange={({ target }) => many.setState({ runs: Number(target.value) })}
        >
          {[1, 3, 5, 10].map((number) => (
            <option key={number} value={number}>
              {number}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
