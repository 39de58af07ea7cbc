import type { BuiltInAvailability } from '@interleave/browser'
import { Download } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { builtIn } from '../models/index.ts'
import { errorWords } from '../parts/errorWords.ts'

type State = BuiltInAvailability | 'checking'

/** Shows if the browser has a model of its own, and its download. */
export function BuiltInFields() {
  const [state, setState] = useState<State>('checking')
  const [loaded, setLoaded] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const check = useCallback(async (): Promise<void> => setState(await (await builtIn()).availability()), [])
  useEffect(() => void check().catch((error: unknown) => setProblem(errorWords(error))), [check])

  const download = async (): Promise<void> => {
    setProblem(undefined)
    setLoaded(0)
    try {
      await (await builtIn()).prepare({ onProgress: setLoaded })
    } catch (error) {
      setProblem(errorWords(error))
    }
    setLoaded(undefined)
    await check()
  }

  return (
    <div className="way-fields">
      <p role="status">{words[state]}</p>
      {(state === 'downloadable' || state === 'downloading') && (
        <button type="button" className="button" disabled={loaded !== undefined} onClick={() => void download()}>
          <Download aria-hidden />{' '}
          {loaded === undefined ? 'Download the model' : `Downloading, ${Math.floor(loaded * 100)}%`}
        </button>
      )}
      {loaded !== undefined && <progress aria-label="Download of the model" value={loaded} max={1} />}
      {problem && <p role="alert">{problem}</p>}
    </div>
  )
}

const words: Readonly<Record<State, string>> = {
  checking: 'Asking the browser …',
  available: 'Ready. It takes text, calls tools, and works offline.',
  downloadable: 'This browser has a model that is not downloaded yet. It needs several gigabytes, once.',
  downloading: 'The browser is downloading its model. Press the button to see the progress.',
  unavailable:
    'This browser supports built-in models, but has none on this device. Chrome needs 22 GB of free disk, and 4 GB of video memory or 16 GB of memory.',
  absent: 'This browser has no built-in model. Chrome has one from version 148 on desktops.',
}
