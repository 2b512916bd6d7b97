/** What dispatch shares with swarm_plan: the shape of its arguments. */
export { planInput, type SwarmChild } from './schema.ts'
