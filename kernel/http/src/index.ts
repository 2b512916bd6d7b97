export { type Served, serve } from './serve.ts'
