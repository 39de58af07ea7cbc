/** Fetches what the first run needs when the user is about to start it. */
export function fetchAhead(): void {
  // A failure is reported when the run is started.
  import('./openConversation.ts').catch(() => {})
  import('../panels/Conversation.tsx').catch(() => {})
  import('../panels/RunQuestions.tsx').catch(() => {})
  import('../panels/FoundNotice.tsx').catch(() => {})
  import('../kill/killActions.ts').catch(() => {})
  import('../panels/RunHeader.tsx').catch(() => {})
  import('../panels/Scratchpad.tsx').catch(() => {})
  import('../firstMinute/FirstMinute.tsx').catch(() => {})
  import('./agentForRun.ts').catch(() => {})
  import('../models/demoPlanner/demoPlanner.ts').catch(() => {})
  // Live events are not stored, so their view has to be there from the beginning of a run.
  import('../panels/InsidePart.tsx').catch(() => {})
}
