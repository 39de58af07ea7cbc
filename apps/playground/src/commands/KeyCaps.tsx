import { isMac, keyCaps } from './keys.ts'
import './keyCaps.css'

/** The keys of a shortcut, as they are labelled on the keyboard. */
export const KeyCaps = ({ keys }: { keys: string }) => (
  <span className="key-caps">
    {keyCaps(keys, isMac()).map((cap) => (
      <kbd key={cap}>{cap}</kbd>
    ))}
  </span>
)
