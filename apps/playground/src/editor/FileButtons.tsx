import { Download, FolderOpen, RotateCcw } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import type { Offer } from '../agents/index.ts'
import { download } from '../parts/download.ts'
import { usePlayground } from '../run/usePlayground.ts'

/** Opens, saves and resets the file of an agent. */
export function FileButtons({ offer, text }: { offer: Offer; text: string }) {
  const { write } = usePlayground()
  const [said, setSaid] = useState('')
  const picker = useRef<HTMLInputElement>(null)

  const open = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = target.files?.[0]
    if (!file) return
    // The same file may be picked again.
    const content = await file.text().catch(() => undefined)
    target.value = ''
    if (content !== undefined) write(offer, content)
    setSaid(content === undefined ? `${file.name} could not be read.` : `Opened ${file.name}`)
  }

  return (
    <>
      <input
        ref={picker}
        type="file"
        accept=".yaml,.yml,.json"
        hidden
        aria-label="File of an agent"
        onChange={(event) => void open(event)}
      />
      <button type="button" className="button" onClick={() => picker.current?.click()}>
        <FolderOpen aria-hidden /> Open file…
      </button>
      <button type="button" className="button" onClick={() => download(`${offer.id}.yaml`, text, 'application/yaml')}>
        <Download aria-hidden /> Save file
      </button>
      <ResetButton offer={offer} text={text} onSay={setSaid} />
      <span role="status" className="editor-said">
        {said}
      </span>
    </>
  )
}

interface ResetButtonProps {
  readonly offer: Offer
  readonly text: string
  readonly onSay: (words: string) => void
}

/** Restores the file that a reset replaced, until the user writes something else. */
function ResetButton({ offer, text, onSay }: ResetButtonProps) {
  const { write, reset } = usePlayground()
  const [before, setBefore] = useState<string>()
  const canUndo = before !== undefined && text === offer.file
  const change = (): void => {
    if (canUndo) write(offer, before)
    else reset(offer)
    setBefore(canUndo ? undefined : text)
    onSay(canUndo ? 'Your text is back' : 'Reset to the original')
  }
  return (
    <button type="button" className="button" onClick={change}>
      <RotateCcw aria-hidden /> {canUndo ? 'Undo reset' : 'Reset'}
    </button>
  )
}
