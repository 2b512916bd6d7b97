export { ATTENTION_URL, type Dashboard, dashboard, EVENTS_URL } from './dashboard.ts'
export { pageFaults } from './faults.ts'
export { pagesPart } from './part.ts'
