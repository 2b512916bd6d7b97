export { Bridge } from './bridge.ts'
export { Endpoint } from './endpoint.ts'
