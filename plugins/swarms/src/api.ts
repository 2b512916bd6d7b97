/** Shared with dispatch: the arguments of swarm_plan and the limit of children. */
export { HARD_CHILD_CAP as MAX_CHILDREN } from './rules/plan.ts'
export { planInput } from './schema.ts'
