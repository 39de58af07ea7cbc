import { demand } from '@interleave/core/internal'

/** Returns true if a request has one of the secrets, as `Authorization: Bearer …`. Takes constant time. */
export type SecretGate = (request: Pick<Request, 'headers'>) => Promise<boolean>

export function secretGate(secret: string | readonly string[]): SecretGate {
  const secrets = [secret].flat()
  demand(
    secrets.length > 0 && secrets.every(isLong),
    'hubHandler({ secret }) needs a secret of at least 32 random bytes: `openssl rand -hex 32` makes one.',
  )
  const digests = secrets.map(digestOf)
  return async ({ headers }) => {
    const [, given] = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '') ?? []
    if (given === undefined) return false
    const digest = await digestOf(given)
    let isOne = false
    for (const each of digests) if (isEqual(await each, digest)) isOne = true
    return isOne
  }
}

const isLong = (secret: unknown): boolean => typeof secret === 'string' && bytesOf(secret).length >= 32
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const digestOf = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text)))

/** Of two digests, which are equally long. */
function isEqual(right: Uint8Array, given: Uint8Array): boolean {
  let difference = 0
  for (const [index, byte] of right.entries()) difference |= byte ^ (given[index] ?? 0)
  return difference === 0
}
