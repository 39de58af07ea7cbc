import type { SealedRunFile } from '@interleave/connect/http'
import { AgentError, type Json } from '@interleave/core'
import { assertOption, canonicalJson, isObject, storedJson } from '@interleave/core/internal'
import type { RunFile } from '@interleave/core/journal'

/** Signs texts with the first of some secrets, and verifies signatures of any of them. */
export class Signer {
  readonly #keys: readonly Promise<CryptoKey>[]

  /** Imports the secrets. `owner` is the function that got them, for errors. */
  constructor(secret: string | readonly string[], owner = 'createHandler') {
    this.#keys = checkSecrets(secret, owner).map((each) =>
      crypto.subtle.importKey('raw', bytesOf(each), algorithm, false, ['sign']),
    )
  }

  async sign(text: string): Promise<string> {
    const [first] = this.#keys as [Promise<CryptoKey>]
    return signWith(first, text)
  }

  async isSigned(text: string, signature: string): Promise<boolean> {
    let isSame = false
    for (const key of this.#keys) if (isEqual(await signWith(key, text), signature)) isSame = true
    return isSame
  }
}

const signWith = async (key: Promise<CryptoKey>, text: string): Promise<string> =>
  toBase64Url(await crypto.subtle.sign('HMAC', await key, bytesOf(text)))

/** Validates the secrets of a function: at least one, each of at least 32 bytes. */
export function checkSecrets(secret: string | readonly string[], owner: string): readonly string[] {
  const secrets = [secret].flat()
  assertOption(
    secrets.length > 0 && secrets.every((each) => typeof each === 'string' && bytesOf(each).length >= 32),
    `${owner}({ secret }) needs a secret of at least 32 random bytes: \`openssl rand -hex 32\` makes one.`,
  )
  return secrets
}

/** Returns a digest that identifies a long text. */
export const digestOf = async (text: string): Promise<string> =>
  toBase64Url(await crypto.subtle.digest('SHA-256', bytesOf(text)))

const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const toBase64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '')

/** Compares two strings in constant time. */
export function isEqual(expected: string, received: string): boolean {
  let difference = expected.length ^ received.length
  for (let i = 0; i < expected.length; i++) difference |= expected.charCodeAt(i) ^ received.charCodeAt(i)
  return difference === 0
}

/** Seals the files of runs, and accepts only sealed files. */
export class RunSeals {
  readonly #signer: Signer

  constructor(signer: Signer) {
    this.#signer = signer
  }

  async seal(file: RunFile, principal: string): Promise<SealedRunFile> {
    return { ...file, seal: await this.#signer.sign(fileText(storedJson(file), principal)) }
  }

  /** Returns the file without its seal. Throws `token_invalid` if it was not sealed here, for this user, unchanged. */
  async open(data: unknown, principal: string): Promise<unknown> {
    const { seal, ...file } = isObject(data) ? data : {}
    const text = fileText(file as Json, principal)
    if (typeof seal === 'string' && (await this.#signer.isSigned(text, seal))) return file
    throw new AgentError('token_invalid', 'This server accepts only files that it exported for you, unchanged.')
  }
}

/** Returns the signed text. No token of a question begins like this, so neither can replace the other. */
const fileText = (file: Json, principal: string): string => canonicalJson(['file1', principal, file])
