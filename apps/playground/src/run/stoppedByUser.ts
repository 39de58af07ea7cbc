/** The reason of a stop by the button, which models receive as the result of a call that it ended. */
export const stoppedByUser = 'You stopped it.'
