/** The reason of a stop by the button: what a call that it ended came to, as models are told. */
export const stoppedByUser = 'You stopped it.'
