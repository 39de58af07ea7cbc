import { KeyRound } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { isFocusLost } from '../parts/focus.ts'
import { useVault } from './useVault.ts'

/** Chooses where a key is: in the memory of this page, or in a vault that a passkey encrypts. */
export function VaultFields() {
  const { state, problem, unlock, forget } = useVault()
  const check = useRef<HTMLInputElement>(null)
  // The pressed button is removed, and the focus with it. Enter does no damage here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state is a reason to look.
  useEffect(() => {
    if (isFocusLost()) check.current?.focus()
  }, [state])
  return (
    <div className="way-vault">
      {state === 'unsupported' ? (
        <small>
          The key stays in the memory of this page:{' '}
          {isAddress() ? needsName : 'this browser has no passkeys that encrypt.'}
        </small>
      ) : (
        <label className="way-check">
          <input ref={check} type="checkbox" name="remember" />
          <span>
            Remember with a passkey
            <small>Encrypted in this browser. Otherwise the key stays in the memory of this page.</small>
          </span>
        </label>
      )}
      {(state === 'locked' || state === 'unlocked') && (
        <div className="way-presets">
          {state === 'locked' && (
            <button type="button" className="button" onClick={() => void unlock()}>
              <KeyRound aria-hidden /> Unlock stored keys
            </button>
          )}
          <button type="button" className="button" onClick={() => void forget()}>
            Delete stored keys
          </button>
        </div>
      )}
      {problem && <p role="alert">{problem}</p>}
    </div>
  )
}

/** Passkeys belong to a host name. */
const isAddress = (): boolean => /^[\d.]+$|^\[/.test(location.hostname)

const needsName = 'passkeys need a host name. Open this page by its localhost address to use one.'
