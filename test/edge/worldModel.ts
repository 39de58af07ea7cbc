import { type ScriptedTurn, scriptedModel } from '@interleave/testing'

/** A model whose turns a server decides, by the whole prompt. It keeps nothing. */
export function worldModel(world: string): ReturnType<typeof scriptedModel> {
  const turn: ScriptedTurn = async ({ prompt }) => {
    const response = await fetch(`${world}/model`, { method: 'POST', body: JSON.stringify(prompt) })
    return (await response.json()) as ScriptedTurn
  }
  return { ...scriptedModel(), doStream: (call) => scriptedModel(turn).doStream(call) }
}
