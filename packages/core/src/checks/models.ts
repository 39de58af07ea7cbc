/** Returns the first problem with the models of an agent. */
export function problemOfModels(models: readonly unknown[]): string | undefined {
  if (!models[0]) return 'An agent needs a model, such as openai("gpt-5") of @ai-sdk/openai.'
  for (const model of models) {
    const problem = problemOf(model)
    if (problem) return problem
  }
  return undefined
}

function problemOf(model: unknown): string | undefined {
  if (typeof model === 'string')
    return `The \`model\` is the string "${model}". Give a model object, such as ${modelCall(model)}, or languageModel("${model}") of @interleave/ai-sdk.`
  const { specificationVersion: version = 'unknown', doStream } = Object(model) as Readonly<Record<string, unknown>>
  if (version === 'v4' && typeof doStream === 'function') return undefined
  if (typeof model === 'function')
    return 'The `model` is a provider. Call it with the name of a model, such as openai("gpt-5").'
  return `The \`model\` has the interface ${String(version)}, not v4. Use a provider of the AI SDK 7, such as @ai-sdk/openai@4, or languageModel(model) of @interleave/ai-sdk.`
}

/** Returns the provider's call that makes the model of this name: a gateway's name starts with the provider. */
function modelCall(name: string): string {
  const [, provider = 'openai', id = name] = /^(\w+)\/(.+)$/s.exec(name) ?? []
  return `${provider}("${id}")`
}
