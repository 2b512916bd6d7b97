import { Later } from './good.mjs'

export default Later
