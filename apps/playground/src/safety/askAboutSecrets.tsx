import { createRoot } from 'react-dom/client'
import { fileFor } from './findSecrets.ts'
import { SecretsDialog } from './SecretsDialog.tsx'

/** Asks what of a run is to go into its file. Gives the text of the file; nothing if the user wants none after all. */
export function askAboutSecrets(whole: string): Promise<string | undefined> {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  return new Promise((resolve) => {
    root.render(
      <SecretsDialog
        file={whole}
        onDone={(share) => {
          resolve(share && fileFor(whole, share))
          // The dialog is in the middle of closing, and gives the focus back.
          setTimeout(() => {
            root.unmount()
            place.remove()
          })
        }}
      />,
    )
  })
}
