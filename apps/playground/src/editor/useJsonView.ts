import { editConfig, formatConfig, parseConfig } from '@interleave/config'
import { useState } from 'react'

/** The file of an agent as JSON, and the way back. */
export interface JsonView {
  readonly text: string
  write(json: string): void
}

/** Shows a file as JSON. Once it can be read, it is written into the file, whose comments stay. */
export function useJsonView(file: string, onWrite: (file: string) => void): JsonView {
  const [draft, setDraft] = useState<{ readonly json: string; readonly file: string }>()
  return {
    // The text that was typed here last, until the file changes elsewhere.
    text: draft?.file === file ? draft.json : asJson(file),
    write(json) {
      const next = intoFile(file, json)
      setDraft({ json, file: next })
      if (next !== file) onWrite(next)
    },
  }
}

/** A file that cannot be read is shown as it is. */
function asJson(file: string): string {
  try {
    return formatConfig(parseConfig(file), 'json')
  } catch {
    return file
  }
}

function intoFile(file: string, json: string): string {
  try {
    const config = parseConfig(json)
    try {
      return editConfig(file, config)
    } catch {
      return formatConfig(config)
    }
  } catch {
    return file
  }
}
