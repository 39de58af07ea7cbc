/** Stands wherever the demo planner speaks, so that nobody takes its rules for intelligence. */
export const RulesBadge = () => <span className="badge rules">rules, no AI</span>
