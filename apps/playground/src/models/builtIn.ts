import type { BuiltInModel } from '@interleave/browser'

let model: Promise<BuiltInModel> | undefined

/** The browser's own model: one for the page, so that all of it sees the progress of a download. */
export function builtIn(): Promise<BuiltInModel> {
  model ??= import('@interleave/browser')
    .then(({ builtInModel }) => builtInModel({ languages: ['en'] }))
    .catch((error: unknown) => {
      model = undefined
      throw error
    })
  return model
}
