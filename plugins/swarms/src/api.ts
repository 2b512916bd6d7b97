/** What dispatch shares with swarm_plan: its arguments, and how many children there may be at most. */
export { HARD_CHILD_CAP as MAX_CHILDREN } from './rules/plan.ts'
export { planInput } from './schema.ts'
