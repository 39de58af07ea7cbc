import type { Block, MessageView, StepView } from './messageView.ts'

/** The message with every block as `edit` makes it. The same message if none changes. */
export function editBlocks(view: MessageView, edit: (block: Block) => Block): MessageView {
  const steps = mapped(view.steps, (step) => {
    const blocks = mapped(step.blocks, edit)
    return blocks === step.blocks ? step : { ...step, blocks }
  })
  return steps === view.steps ? view : { ...view, steps }
}

function mapped<T>(list: readonly T[], edit: (item: T) => T): readonly T[] {
  let changed = false
  const edited = list.map((item) => {
    const after = edit(item)
    changed ||= after !== item
    return after
  })
  return changed ? edited : list
}

/** The message with another last step. */
export const withLastStep = (view: MessageView, step: StepView): MessageView => ({
  ...view,
  steps: [...view.steps.slice(0, -1), step],
})

export const withNewStep = (view: MessageView, step: StepView): MessageView => ({
  ...view,
  steps: [...view.steps, step],
})
