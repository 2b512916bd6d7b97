import { misspelt } from './capability-misspelt.mjs'

export default misspelt({ effect: 'reads' })
