export { type ScriptedTurn, scriptedModel } from './scriptedModel.ts'
