import { complaintAboutData } from './complaintAboutData.ts'
import { demand } from './demand.ts'
import * as shapes from './eventShape.ts'
import type { Ask } from './question.ts'

/**
 * Returns a question that may be stored in a log. A question that cannot be read back would make the whole run
 * unreadable.
 */
export function checkQuestion(ask: Ask): Ask {
  const wrong = shapes.ask(ask)
  demand(wrong === undefined, `This question cannot be asked: it has a wrong or missing "${wrong}".`)
  const wild = complaintAboutData(ask)
  demand(wild === undefined, `This question cannot be asked: ${wild}.`)
  return ask
}
