import { createRoot } from 'react-dom/client'
import { fileFor } from './findSecrets.ts'
import { SecretsDialog } from './SecretsDialog.tsx'

/**
 * Asks which parts of a run its file should have. Resolves with the text of the file; undefined if the user cancels.
 */
export function askAboutSecrets(whole: string): Promise<string | undefined> {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  return new Promise((resolve) => {
    root.render(
      <SecretsDialog
        file={whole}
        onDone={(share) => {
          resolve(share && fileFor(whole, share))
          // The dialog is still closing, and restores the focus.
          setTimeout(() => {
            root.unmount()
            place.remove()
          })
        }}
      />,
    )
  })
}
