import { complaintAboutData } from './complaintAboutData.ts'
import { demand } from './demand.ts'
import * as shapes from './eventShape.ts'
import type { Ask } from './question.ts'

/** A question as it may stand in a log. One that could not be read again would take its whole run with it. */
export function checkQuestion(ask: Ask): Ask {
  const wrong = shapes.ask(ask)
  demand(wrong === undefined, `This question cannot be asked: it has a wrong or missing "${wrong}".`)
  const wild = complaintAboutData(ask)
  demand(wild === undefined, `This question cannot be asked: ${wild}.`)
  return ask
}
