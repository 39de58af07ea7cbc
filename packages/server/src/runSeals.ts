import type { SealedRunFile } from '@interleave/connect/http'
import type { Json } from '@interleave/core'
import { AgentError } from '@interleave/core'
import { canonicalJson, isObject, toJson } from '@interleave/core/internal'
import type { RunFile } from '@interleave/core/journal'
import { createSigner } from './createSigner.ts'

/** Seals the files of runs, and accepts only sealed files. */
export interface RunSeals {
  seal(file: RunFile, principal: string): Promise<SealedRunFile>
  /** Returns the file without its seal. Throws `token_invalid` if it was not sealed here, for this user, unchanged. */
  open(data: unknown, principal: string): Promise<unknown>
}

export function createRunSeals(secret: string | readonly string[]): RunSeals {
  const signer = createSigner(secret)
  // No token of a question begins like this, so neither can replace the other.
  const textOf = (file: Json, principal: string): string => canonicalJson(['file1', principal, file])
  return {
    async seal(file, principal) {
      return { ...file, seal: await signer.sign(textOf(toJson(file), principal)) }
    },
    async open(data, principal) {
      const { seal, ...file } = isObject(data) ? data : {}
      if (typeof seal === 'string' && (await signer.isSigned(textOf(file as Json, principal), seal))) return file
      throw new AgentError('token_invalid', 'This server takes only files that it gave to you, as they were then.')
    },
  }
}
